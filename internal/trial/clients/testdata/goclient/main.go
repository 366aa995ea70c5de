// A program of a user of version 2, with the client that ogen makes of its
// document: it writes, reads, lists, filters and pages, meets errors, deletes, and
// writes many.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/ogen-go/ogen/ogenerrors"

	"example.com/client/api"
)

type token string

func (t token) BearerAuth(context.Context, api.OperationName) (api.BearerAuth, error) {
	if t == "" {
		return api.BearerAuth{}, ogenerrors.ErrSkipClientSecurity
	}
	return api.BearerAuth{Token: string(t)}, nil
}

func (token) ApiKey(context.Context, api.OperationName) (api.ApiKey, error) {
	return api.ApiKey{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	if err := run(context.Background(), os.Args[1]+"/api/v2"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("the client is content")
}

func run(ctx context.Context, url string) error {
	anyone, err := api.NewClient(url, token(""))
	if err != nil {
		return err
	}
	me, err := anyone.Register(ctx, &api.Registration{Name: "Ada Lovelace", Email: "ada@example.com", Password: "correct horse 1"})
	if err != nil {
		return err
	}
	c, err := api.NewClient(url, token(me.Token.Value))
	if err != nil {
		return err
	}
	ids := map[string]string{}
	for _, title := range []string{"Engines", "Notes", "Tables"} {
		made, err := c.CreatePost(ctx, &api.PostCreate{Title: title, Content: "Text.", Published: api.NewOptBool(true)}, api.CreatePostParams{})
		if err != nil {
			return err
		}
		ids[title] = made.Data.Post.ID.Value
	}
	read, err := c.ReadPost(ctx, api.ReadPostParams{ID: ids["Notes"], Expand: []string{"author"}})
	if err != nil {
		return err
	}
	if p := read.Data.Post; p.Title.Value != "Notes" || p.AuthorId.Value != me.User.ID || p.Author.Name.Value != "Ada Lovelace" {
		return fmt.Errorf("read %+v", p)
	}
	found, err := c.ListPosts(ctx, api.ListPostsParams{
		AuthorId: api.NewOptString(me.User.ID), Sort: []string{"-createdAt"}, TitleIn: []string{"Engines", "Tables"}, CreatedAtGte: api.NewOptString("2020-01-01"),
	})
	if err != nil {
		return err
	}
	if found.Results != 2 || found.Data.Posts[0].Title.Value != "Tables" || found.Pagination.TotalPages.Value != 1 {
		return fmt.Errorf("found %+v", found)
	}
	var titles []string
	for cursor, more := "", true; more; {
		page, err := c.ListPosts(ctx, api.ListPostsParams{Cursor: api.NewOptString(cursor), Limit: api.NewOptInt(2), Sort: []string{"title"}})
		if err != nil {
			return err
		}
		for _, p := range page.Data.Posts {
			titles = append(titles, p.Title.Value)
		}
		cursor, more = page.Pagination.NextCursor.Value, page.Pagination.HasMore.Value
	}
	if !slices.Equal(titles, []string{"Engines", "Notes", "Tables"}) {
		return fmt.Errorf("pages of %v", titles)
	}
	_, err = c.PatchPost(ctx, &api.PostPatch{Title: api.NewOptString("")}, api.PatchPostParams{ID: ids["Notes"]})
	if err := fails(err, 422, "VALIDATION_FAILED"); err != nil {
		return err
	}
	deleted, err := c.DeletePost(ctx, api.DeletePostParams{ID: ids["Notes"]})
	if err != nil || deleted.Message != "post deleted" {
		return fmt.Errorf("deleted %+v: %w", deleted, err)
	}
	_, err = c.ReadPost(ctx, api.ReadPostParams{ID: ids["Notes"]})
	if err := fails(err, 404, "POST_NOT_FOUND"); err != nil {
		return err
	}
	admin, err := api.NewClient(url, token(os.Args[2]))
	if err != nil {
		return err
	}
	many, err := admin.CreateUsers(ctx, &api.CreateUsersReq{Users: []api.UserCreate{
		{Name: "Grace Hopper", Email: "grace@example.com"}, {Name: "Grace Hopper", Email: "grace@example.com"},
	}}, api.CreateUsersParams{})
	if err != nil {
		return err
	}
	if r := many.Results; len(r) != 2 || r[0].Status != 201 || r[0].Data.Value.IsActive.Value != true || r[1].Error.Value.Code != "DUPLICATE_EMAIL" {
		return fmt.Errorf("made %+v", r)
	}
	return nil
}

func fails(err error, status int, code string) error {
	var failure *api.FailureStatusCode
	if !errors.As(err, &failure) || failure.StatusCode != status || failure.Response.Code != code {
		return fmt.Errorf("%w, not %d %s", err, status, code)
	}
	return nil
}
