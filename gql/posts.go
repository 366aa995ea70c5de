package gql

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/gid"
	"github.com/entwine-go/entwine/internal/listing"
	"github.com/entwine-go/entwine/internal/problem"
)

// posts plans posts(author_id:).
func posts(p *planner, f graphql.CollectedField) (read, error) {
	q := listing.Query{Page: listing.Page{Limit: listing.MaxLimit}}
	if author, ok := p.arguments(f)["author_id"]; ok {
		id, err := gid.Unmarshal(entity.User.Name, author)
		if err != nil {
			return nil, problem.Inputs(problem.Invalidf("author_id", author, "%v", err))
		}
		q.Where = listing.Cond{Field: entity.PostFields.AuthorID, Op: listing.EQ, Value: id}
	}
	return p.rows(entity.Post, q, f.Selections)
}

// AddComment resolves addComment(postId:, text:).
func (r *resolver) AddComment(ctx context.Context, postID, text string) (*generated.Comment, error) {
	if _, err := gid.Parse(entity.Post.Name, postID); err != nil {
		return nil, problem.Inputs(problem.Invalidf("postId", postID, "%v", err))
	}
	comment, err := r.CreateComment(ctx, generated.CreateCommentInput{PostID: postID, Text: text})
	if err = plainInputs(err); concerns(err, "postID") {
		return nil, listing.NotFound(entity.Post)
	}
	return comment, err
}
