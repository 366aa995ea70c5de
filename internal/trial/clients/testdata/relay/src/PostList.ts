import { graphql } from "react-relay";

export const query = graphql`
  query PostListQuery($count: Int!, $author: ID) {
    viewer: me { ...PostList_user }
    ...PostList_posts @arguments(count: $count, author: $author)
  }
`;

export const posts = graphql`
  fragment PostList_posts on Query
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "Cursor" }, author: { type: "ID" })
  @refetchable(queryName: "PostListPaginationQuery") {
    postsConnection(first: $count, after: $cursor, where: { authorId: $author }, orderBy: [{ field: CREATED_AT, direction: DESC }])
      @connection(key: "PostList_postsConnection") {
      edges {
        node {
          id
          ...PostList_post
        }
      }
      totalCount
    }
  }
`;

export const post = graphql`
  fragment PostList_post on Post
  @argumentDefinitions(comments: { type: "Int", defaultValue: 5 }, after: { type: "Cursor" })
  @refetchable(queryName: "PostListCommentsQuery") {
    title
    author { ...PostList_user @defer(label: "author") }
    commentsConnection(first: $comments, after: $after) @connection(key: "PostList_commentsConnection") {
      edges { node { text author { name } } }
    }
  }
`;

export const user = graphql`
  fragment PostList_user on User @refetchable(queryName: "PostListUserQuery") {
    name
  }
`;

export const comment = graphql`
  mutation PostListCommentMutation($post: ID!, $text: String!, $connections: [ID!]!) {
    addComment(postId: $post, text: $text) @appendNode(connections: $connections, edgeTypeName: "CommentEdge") {
      id
      text
    }
  }
`;

export const remove = graphql`
  mutation PostListDeleteMutation($id: ID!) {
    deleteComment(id: $id)
  }
`;

export const avatar = graphql`
  mutation PostListAvatarMutation($user: ID!, $avatar: String) {
    setProfile(userId: $user, input: { avatar: $avatar }) {
      avatar
    }
  }
`;

export const live = graphql`
  subscription PostListSubscription($post: ID!) {
    newComment(postId: $post) { id text author { ...PostList_user } }
  }
`;
