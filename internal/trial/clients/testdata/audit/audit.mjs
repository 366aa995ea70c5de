// Asks the server that argv names what GraphQL over HTTP asks of one, and
// prints each audit as a line of JSON: {id, name, status, reason}.
import { serverAudits } from "graphql-http";

const [url, token] = process.argv.slice(2);
const asCaller = (input, init = {}) =>
  fetch(input, { ...init, headers: { ...init.headers, ...(token ? { authorization: "Bearer " + token } : {}) } });

for (const audit of serverAudits({ url, fetchFn: asCaller })) {
  const { status, reason } = await audit.fn();
  console.log(JSON.stringify({ id: audit.id, name: audit.name, status, reason }));
}
