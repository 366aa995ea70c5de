// An OpenID Connect provider that entwine is a client of: node provider.mjs
// CLIENT SECRET REDIRECT. It prints its issuer. Whoever signs in with a name
// is that, with the address name@example.com; its forms ask for no password.
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

const [client, secret, redirect] = process.argv.slice(2)
const server = createServer()
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: client, client_secret: secret, redirect_uris: [redirect] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['cookies of a test'] },
    findAccount: (_, name) => ({
      accountId: name,
      claims: () => ({ sub: name, name: 'Ada Lovelace', email: `${name}@example.com`, email_verified: true }),
    }),
    pkce: { required: () => true },
  })
  server.on('request', provider.callback())
  console.log(issuer)
})
