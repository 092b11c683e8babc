// Questions to the site.

/** The JSON at an address; an Error with the sentence of the site if it refuses. */
export async function asked(address, body) {
  const options = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(address, options);
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error ?? `The site answered with status ${answer.status}.`);
  return data;
}
