// Sets files of rows that Apollo Client sends in forms (apollo-upload-client): node upload.mjs URL
import assert from 'node:assert/strict';
import { ApolloClient, CombinedGraphQLErrors, InMemoryCache, gql } from '@apollo/client';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';

const url = process.argv[2];

/** Asks REST, and returns the answer. */
async function ask(path, body) {
  const answer = await fetch(url + '/api/v1' + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });
  return answer.json();
}

let headers;
const { token, user } = await ask('/auth/register', { name: 'Ada Lovelace', email: 'ada@apollo.example.com', password: 'correct horse 1' });
headers = { Authorization: `Bearer ${token}` };

const clientOf = (more) => new ApolloClient({ cache: new InMemoryCache(), link: new UploadHttpLink({ uri: url + '/graphql', headers: { ...headers, ...more } }) });
const client = clientOf({ 'Apollo-Require-Preflight': 'true' });
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==', 'base64');
const stored = async (address) => (await fetch(url + address, { headers })).text();

// A variable that is a file, where the schema has the address of one.
const avatar = gql`mutation ($user: ID!, $avatar: String) { setProfile(userId: $user, input: { avatar: $avatar }) { id avatar } }`;
const picture = (content, type = 'image/png') => new File([content], 'ada.png', { type });
const set = await client.mutate({ mutation: avatar, variables: { user: user.id, avatar: picture(pixel) } });
assert.equal(await stored(set.data.setProfile.avatar), pixel.toString());

// An input with a file in it, and several rows with a file each in one mutation.
const post = (await ask('/posts', { title: 'Notes', content: 'Mine.', published: true })).data.id;
const comment = (await ask(`/posts/${post}/comments`, { text: 'See these.' })).data.id;
const attach = gql`mutation ($one: CreateCommentAttachmentInput!, $two: CreateCommentAttachmentInput!) {
  one: createCommentAttachment(input: $one) { id file }
  two: createCommentAttachment(input: $two) { id file }
}`;
const input = (text) => ({ commentId: String(comment), caption: text, file: new File([text], text + '.txt', { type: 'text/plain' }) });
const { data } = await client.mutate({ mutation: attach, variables: { one: input('first'), two: input('second') } });
assert.deepEqual([await stored(data.one.file), await stored(data.two.file)], ['first', 'second']);

// A Blob has no name.
const blob = await client.mutate({ mutation: avatar, variables: { user: user.id, avatar: new Blob([pixel]) } });
assert.notEqual(blob.data.setProfile.avatar, set.data.setProfile.avatar);

// What is refused is an error of GraphQL, as that of any other mutation.
const refused = (by, variables) => by.mutate({ mutation: avatar, variables }).then(assert.fail, (error) => {
  assert.ok(CombinedGraphQLErrors.is(error), String(error));
  return [error.errors[0].extensions.status, error.message];
});
const [status, message] = await refused(client, { user: user.id, avatar: picture('no picture', 'image/png') });
assert.deepEqual([status, /image\/png/.test(message)], [415, true], message);
const [unasked, why] = await refused(clientOf(), { user: user.id, avatar: picture(pixel) });
assert.deepEqual([unasked, /GraphQL-Require-Preflight/.test(why)], [400, true], why);
console.log('uploaded');
