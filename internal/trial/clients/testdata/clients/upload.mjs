// Sets the avatar of a profile to a file that urql sends in a form: node upload.mjs URL
import { Client, fetchExchange } from '@urql/core';

const url = process.argv[2];
const signUp = await fetch(url + '/api/v1/auth/register', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ name: 'Ada Lovelace', email: 'ada@urql.example.com', password: 'correct horse 1' }),
});
const { token, user } = await signUp.json();
const headers = { Authorization: `Bearer ${token}` };
const content = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==', 'base64');

const clientOf = (more) => new Client({ url: url + '/graphql', exchanges: [fetchExchange], fetchOptions: { headers: { ...headers, ...more } } });

/** Sets the avatar, and returns the answer. */
function set(more) {
  return clientOf(more)
    .mutation('mutation ($user: ID!, $input: UpdateProfileInput!) { setProfile(userId: $user, input: $input) { avatar } }', {
      user: user.id,
      input: { avatar: new File([content], 'ada.png', { type: 'image/png' }) },
    })
    .toPromise();
}

/** Makes a row, and returns its id. */
async function make(path, body) {
  const res = await fetch(url + '/api/v1' + path, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  return (await res.json()).data.id;
}

const refused = await set({});
const { data, error } = await set({ 'GraphQL-Require-Preflight': 'true' });
if (error) throw error;
const got = await fetch(url + data.setProfile.avatar, { headers });

// A file that is larger than any body of JSON.
const post = await make('/posts', { title: 'Notes', content: 'Mine.', published: true });
const comment = await make(`/posts/${post}/comments`, { text: 'See these.' });
const large = new File([Buffer.alloc(5 << 20, 'x')], 'notes.txt', { type: 'text/plain' });
const attached = await clientOf({ 'Apollo-Require-Preflight': 'true' })
  .mutation('mutation ($in: CreateCommentAttachmentInput!) { createCommentAttachment(input: $in) { file } }', { in: { commentId: comment, file: large } })
  .toPromise();
if (attached.error) throw attached.error;
const back = await fetch(url + attached.data.createCommentAttachment.file, { headers });
console.log(JSON.stringify([String(refused.error).includes('GraphQL-Require-Preflight'), got.status, got.headers.get('content-disposition'), (await back.arrayBuffer()).byteLength]));
