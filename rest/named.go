package rest

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/category"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// What posts and comments refer to has a second name in their bodies: a
// category goes by its own name, and an author is called that.

// CreatePost makes a post: POST /posts.
func (o *operations) CreatePost(ctx context.Context, req *server.PostCreate, w http.ResponseWriter) error {
	return o.inCategory(ctx, req.Category, &req.CategoryID, func() error { return o.Posts.CreatePost(ctx, req, w) })
}

// CreatePostOfUser makes a post of a user: POST /users/{id}/posts.
func (o *operations) CreatePostOfUser(ctx context.Context, req *server.PostCreate, params server.CreatePostOfUserParams, w http.ResponseWriter) error {
	return o.inCategory(ctx, req.Category, &req.CategoryID, func() error { return o.Posts.CreatePostOfUser(ctx, req, params, w) })
}

// ReplacePost replaces a post: PUT /posts/{id}.
func (o *operations) ReplacePost(ctx context.Context, req *server.PostUpdate, params server.ReplacePostParams, w http.ResponseWriter) error {
	return o.inCategory(ctx, req.Category, &req.CategoryID, func() error { return o.Posts.ReplacePost(ctx, req, params, w) })
}

// PatchPost changes what the body names of a post: PATCH /posts/{id}.
func (o *operations) PatchPost(ctx context.Context, req *server.PostUpdate, params server.PatchPostParams, w http.ResponseWriter) error {
	return o.inCategory(ctx, req.Category, &req.CategoryID, func() error { return o.Posts.PatchPost(ctx, req, params, w) })
}

// CreateComment makes a comment: POST /comments.
func (o *operations) CreateComment(ctx context.Context, req *server.CommentCreate, w http.ResponseWriter) error {
	return by(req, func() error { return o.Comments.CreateComment(ctx, req, w) })
}

// CreateCommentOfPost makes a comment of a post: POST /posts/{id}/comments.
func (o *operations) CreateCommentOfPost(ctx context.Context, req *server.CommentCreate, params server.CreateCommentOfPostParams, w http.ResponseWriter) error {
	return by(req, func() error { return o.Comments.CreateCommentOfPost(ctx, req, params, w) })
}

// inCategory writes with the id of the category that is named, if one is.
func (o *operations) inCategory(ctx context.Context, name server.OptNilString, id *server.OptNilInt64, write func() error) error {
	if !name.Set {
		return write()
	}
	if id.Set {
		return problem.Inputs(problem.Invalidf("category", name.Value, "cannot be combined with category_id"))
	}
	id.Set, id.Null = true, name.Null
	if !name.Null {
		key, err := o.Posts.Client.Category.Query().Where(category.Name(name.Value)).OnlyID(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return err
		}
		id.Value = int64(key) // 0 is no category's: the error comes with all others
	}
	return renamed(write(), "category_id", "category", name.Value)
}

// by writes with the author's id under its other name, if that is sent.
func by(req *server.CommentCreate, write func() error) error {
	author, ok := req.Author.Get()
	if !ok {
		return write()
	}
	if req.AuthorID.Set {
		return problem.Inputs(problem.Invalidf("author", author, "cannot be combined with author_id"))
	}
	req.AuthorID = req.Author
	return renamed(write(), "author_id", "author", author)
}

// renamed says what is wrong with a field under the name by which it was sent.
func renamed(err error, field, name string, value any) error {
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		if d.Field == field {
			d.Field = name
			if d.Echo {
				d.Value = value
			}
		}
		return d
	})
}
