package rest_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/ogen-go/ogen/ogenerrors"

	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/rest/oas"
)

// token stands for the credentials of one viewer.
type token string

func (s token) BearerAuth(context.Context, oas.OperationName) (oas.BearerAuth, error) {
	return oas.BearerAuth{Token: string(s)}, nil
}

func (token) ApiKey(context.Context, oas.OperationName) (oas.ApiKey, error) {
	return oas.ApiKey{}, ogenerrors.ErrSkipClientSecurity
}

func TestTypedClient(t *testing.T) {
	each(t, func(w *world) {
		service := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			v := w.nobody
			if r.Header.Get("Authorization") == "Bearer ada" {
				v = w.ada
			}
			w.handler.ServeHTTP(rw, r.WithContext(viewer.With(r.Context(), v)))
		}))
		t.Cleanup(service.Close)
		c, err := oas.NewClient(service.URL+"/api/v1", token("ada"))
		if err != nil {
			t.Fatal(err)
		}
		post, err := c.CreatePost(t.Context(), &oas.PostCreate{Title: "Engines", Content: "Text"}, oas.CreatePostParams{})
		if err != nil {
			t.Fatal(err)
		}
		page, err := c.ListPosts(t.Context(), oas.ListPostsParams{
			Sort: []string{"-title"}, TitleLte: oas.NewOptString("F"), Expand: []string{"author"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Data) != 1 || page.Data[0].ID != post.Data.ID || page.Data[0].Author.Name.Value != "Ada Lovelace" {
			t.Errorf("listed %+v", page.Data)
		}
		if page.Pagination.Total.Value != 1 {
			t.Errorf("pagination %+v", page.Pagination)
		}
		_, err = c.PatchPost(t.Context(), &oas.PostPatch{Title: oas.NewOptString("")}, oas.PatchPostParams{ID: post.Data.ID.Value})
		var failure *oas.FailureStatusCode
		if !errors.As(err, &failure) || failure.StatusCode != 422 || failure.Response.Error.Details[0].Field != "title" {
			t.Errorf("an empty title: %v", err)
		}
	})
}
