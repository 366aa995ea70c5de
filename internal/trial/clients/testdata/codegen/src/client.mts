// A front end that is built with graphql-codegen's client preset: its documents
// are typed, and it sends their ids alone.
//
//   node client.mjs URL TOKEN
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { graphql } from './gql/index.js';

const Posts = graphql(`
  query Posts($first: Int!, $by: [PostOrder!], $where: PostWhereInput) {
    postsConnection(first: $first, orderBy: $by, where: $where) {
      totalCount
      nodes { id title authorId publishedAt author { name role } commentsConnection(first: 1) { totalCount } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const Write = graphql(`
  mutation Write($input: CreatePostInput!) {
    createPost(input: $input) { id title version }
  }
`);

const Page = graphql(`
  query Page($id: ID!) {
    node(id: $id) { __typename id ... on Post { title likesConnection { totalCount } } }
    search: searchConnection(query: "typed", types: [posts]) { counts { type count } }
  }
`);

const [url, token] = process.argv.slice(2);

async function ask<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Promise<Data> {
  const documentId = (document as { __meta__?: { hash: string } }).__meta__?.hash;
  if (!documentId?.startsWith('sha256:')) throw new Error(`the document has the id ${documentId}`);
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ documentId, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Data; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

function must(what: boolean, message: string): asserts what {
  if (!what) throw new Error(message);
}

const written = await ask(Write, { input: { title: 'Typed', content: 'The first one.', published: true } });
must(written.createPost.version === 1, 'a new post has the version 1');
const posts = await ask(Posts, { first: 5, by: [{ field: 'ID', direction: 'DESC' }], where: { publishedAtNotNil: true } });
const post = posts.postsConnection?.nodes?.[0];
must(post?.title === 'Typed' && post.commentsConnection?.totalCount === 0, `the first post is ${JSON.stringify(post)}`);
const role: 'admin' | 'developer' | 'editor' | 'lead_developer' | 'moderator' | 'senior_developer' | 'user' | null | undefined = post.author.role;
must(role === 'user', `the role is ${role}`); // and no other text could be compared
const page = await ask(Page, { id: written.createPost.id });
must(page.node?.__typename === 'Post' && page.node.likesConnection?.totalCount === 0, `the node is ${JSON.stringify(page.node)}`);
must(page.search?.counts[0]?.count === 1, `found ${JSON.stringify(page.search)}`);
console.log('ok');
