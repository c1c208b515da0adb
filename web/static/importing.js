/* The import pages: how much of an upload has been sent, and news of one that is being read. Both work without. */

const form = document.querySelector("form[data-upload]");
const running = document.querySelector("[data-state]");

const size = (bytes) => (bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`);

/** Shows a fault as the page does that the server would answer with. */
function tell(text) {
  const notice = document.createElement("p");
  notice.className = "notice problem";
  notice.setAttribute("role", "alert");
  notice.textContent = text;
  document.getElementById("fault").replaceChildren(notice);
}

/** Sends the form and shows how far it is; the answer is the page that the browser would have gone to. */
function send(event) {
  event.preventDefault();
  const request = new XMLHttpRequest();
  const [sending, button] = [form.querySelector(".sending"), form.querySelector("button")];
  const [bar, said] = [sending.querySelector("progress"), sending.querySelector("[aria-live]")];
  const end = (text) => {
    sending.hidden = true;
    button.disabled = false;
    tell(text);
  };
  request.open("POST", form.action);
  request.responseType = "document";
  request.upload.onprogress = (news) => {
    bar.value = news.total ? news.loaded / news.total : 0;
    said.textContent = news.loaded < news.total ? `${size(news.loaded)} of ${size(news.total)}` : "Being checked";
  };
  request.onload = () => {
    if (request.status < 400) {
      location.assign(request.responseURL);
      return;
    }
    const fault = request.response?.querySelector("[role=alert], main p");
    end(fault?.textContent.trim() || `The server answered ${request.status}.`);
  };
  request.onerror = () => end("The upload was broken off: it may be too large, or the server is gone.");
  sending.hidden = false;
  button.disabled = true;
  request.send(new FormData(form));
}

/** Asks for news until there are no more; then the page is loaded anew, with the report. */
async function follow() {
  const status = running.querySelector("[role=status]");
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const answer = await fetch(running.dataset.state, { headers: { Accept: "application/json" } }).catch(() => null);
    if (!answer?.ok) continue;
    const state = await answer.json();
    if (!state.running) break;
    if (state.progress && status.textContent !== state.progress) status.textContent = state.progress;
  }
  location.reload();
}

form?.addEventListener("submit", send);
if (running) follow();
