// Asks a server that has just been started.

/** The longest until the server listens. */
const SECONDS = 60;

/** The text of a page. Asks until the server listens; an answer that is no success is an error. */
export async function answerOf(url) {
  const since = performance.now();
  for (;;) {
    let response;
    try {
      response = await fetch(url);
    } catch (error) {
      // Not for ever: a loop that nobody awaits any more would keep this process alive.
      if (performance.now() - since > SECONDS * 1000) throw error;
      await new Promise((done) => setTimeout(done, 50));
      continue;
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 600)}`);
    return text;
  }
}
