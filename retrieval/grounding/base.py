"""What a grounder is."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.search import MediaQuery
from retrieval.triplets import Triplet

Scores = NDArray[np.float64]


class Grounder(Protocol):
    """Scores how far triplets are present in the frames of a query, or in its sounds."""

    @property
    def name(self) -> str:
        """What it is called in reports."""

    def scores(self, triplets: Sequence[Triplet], query: MediaQuery) -> Scores:
        """
        ``[n]``, one for each triplet, 0 for what is not there, NaN for what cannot be judged.

        Raises retrieval.errors.RetrievalError.
        """
