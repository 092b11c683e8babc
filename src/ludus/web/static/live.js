// Live data: one WebSocket for this tab, topics, and resuming where a break began.

const FIRST_WAIT = 500; // milliseconds until the first new attempt to connect
const LONGEST_WAIT = 15000;

const topics = new Map(); // name -> { seq, listeners }
let socket = null;
let wait = FIRST_WAIT;
let timer = null;
let online = true;

/** Watch a topic; `onMessage` gets each message. The function that is returned ends it. */
export function watch(name, onMessage) {
  let topic = topics.get(name);
  if (topic) {
    topic.seq = null; // the new listener needs everything
  } else {
    topic = { seq: null, listeners: new Set() };
    topics.set(name, topic);
  }
  topic.listeners.add(onMessage);
  if (isOpen()) ask(name);
  else connect();
  return () => {
    topic.listeners.delete(onMessage);
    if (topic.listeners.size || topics.get(name) !== topic) return;
    topics.delete(name);
    if (isOpen()) send({ leave: name });
  };
}

function isOpen() {
  return socket?.readyState === WebSocket.OPEN;
}

function send(message) {
  socket.send(JSON.stringify(message));
}

function ask(name) {
  if (!document.hidden) send({ watch: name, after: topics.get(name).seq });
}

function connect() {
  if (socket || document.hidden || !topics.size) return;
  clearTimeout(timer);
  timer = null;
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
  socket.addEventListener("open", () => {
    wait = FIRST_WAIT;
    tell(true);
    for (const name of topics.keys()) ask(name);
  });
  socket.addEventListener("message", (event) => receive(JSON.parse(event.data)));
  socket.addEventListener("close", (event) => {
    if (event.target !== socket) return;
    socket = null;
    if (document.hidden || !topics.size) return;
    tell(false);
    timer ??= setTimeout(() => {
      timer = null;
      connect();
    }, wait * (0.75 + Math.random() / 2));
    wait = Math.min(2 * wait, LONGEST_WAIT);
  });
}

function receive(message) {
  const topic = topics.get(message.topic);
  if (!topic) return;
  if (message.seq !== undefined) {
    if (!message.full && message.seq !== topic.seq + 1) return; // it was on its way when everything was asked for
    topic.seq = message.seq;
  }
  for (const listener of [...topic.listeners]) listener(message);
}

/** Tell the page whether there is a connection: an event `live` with `detail.online`. */
function tell(now) {
  if (now === online) return;
  online = now;
  dispatchEvent(new CustomEvent("live", { detail: { online } }));
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    if (isOpen()) for (const name of topics.keys()) ask(name);
    else connect();
  } else if (isOpen()) {
    for (const name of topics.keys()) send({ leave: name });
  }
});

// A page with a connection could not be kept for the way back.
addEventListener("pagehide", () => {
  const closing = socket;
  socket = null;
  closing?.close();
});
addEventListener("pageshow", connect);
addEventListener("online", connect);
