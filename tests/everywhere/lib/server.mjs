// Asks a server that has just been started.

/** The text of a page. Asks until the server listens; an answer that is no success is an error. */
export async function answerOf(url) {
  for (;;) {
    let response;
    try {
      response = await fetch(url);
    } catch {
      await new Promise((done) => setTimeout(done, 50));
      continue;
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 600)}`);
    return text;
  }
}
