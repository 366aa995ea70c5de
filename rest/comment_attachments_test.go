package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

func TestACommentHasAttachmentsInOrder(t *testing.T) {
	each(t, func(w *world) {
		post := w.ent.Post.Create().SetTitle("On the Engine").SetContent("…").SetPublished(true).SetAuthorID(userID(w.bob)).SaveX(w.system)
		draft := w.ent.Post.Create().SetTitle("Not yet").SetContent("…").SetAuthorID(userID(w.bob)).SaveX(w.system)
		comment := w.ent.Comment.Create().SetText("See these.").SetPostID(post.ID).SetAuthorID(userID(w.ada)).SaveX(w.system)
		list := fmt.Sprintf("/api/v1/comments/%d/attachments", comment.ID)
		send := func(v *viewer.Viewer, content string) string {
			w.t.Helper()
			return w.send(v, "POST", "/api/v1/files?for=comment_attachment.file&name=note.txt", content).want(201).data()["url"].(string)
		}
		addresses := map[string]string{}
		for i, caption := range []string{"the second", "the first"} {
			addresses[caption] = send(w.ada, caption)
			w.send(w.ada, "POST", list, fmt.Sprintf(`{"file":%q,"caption":%q,"position":%d}`, addresses[caption], caption, 2-i)).want(201).
				keepsContract("POST", "/api/v1/comments/{id}/attachments")
		}

		// Everybody who reads the comment sees them in order, and downloads them.
		shown := w.send(w.nobody, "GET", list, "").want(200)
		shown.keepsContract("GET", "/api/v1/comments/{id}/attachments")
		var order []string
		for _, row := range shown.Body["data"].([]any) {
			order = append(order, row.(map[string]any)["caption"].(string))
		}
		if got := strings.Join(order, ", "); got != "the first, the second" {
			w.t.Errorf("the attachments are %s", got)
		}
		first := addresses["the first"]
		if got := w.send(w.nobody, "GET", first, "").want(200); got.Raw != "the first" || got.Header.Get("Content-Disposition") != "attachment; filename=note.txt" {
			w.t.Errorf("the first one is %q, as %s", got.Raw, got.Header.Get("Content-Disposition"))
		}

		// Exports have the addresses, from which the files are downloaded.
		for _, format := range []string{"text/csv", "application/xml"} {
			w.send(w.nobody, "GET", list, "", "Accept", format).want(200).has(first)
		}

		// Only the author of the comment attaches, and only what they have uploaded.
		theirs := send(w.bob, "of another")
		w.send(w.bob, "POST", list, fmt.Sprintf(`{"file":%q}`, theirs)).want(403)
		w.send(w.ada, "POST", list, fmt.Sprintf(`{"file":%q}`, theirs)).want(422)
		w.send(w.nobody, "POST", "/api/v1/files?for=comment_attachment.file", "x").want(401)
		attachment := shown.Body["data"].([]any)[0].(map[string]any)["id"]
		path := fmt.Sprintf("/api/v1/comment-attachments/%v", attachment)
		w.send(w.bob, "PATCH", path, `{"caption":"mine"}`).want(403)
		w.send(w.bob, "DELETE", first, "").want(403)
		w.send(w.ada, "PATCH", path, `{"position":3}`).want(200)

		// Those of a comment on a draft are hidden with it, and are removed with a comment.
		hidden := w.ent.Comment.Create().SetText("Psst.").SetPostID(draft.ID).SetAuthorID(userID(w.bob)).SaveX(w.system)
		w.send(w.bob, "POST", fmt.Sprintf("/api/v1/comments/%d/attachments", hidden.ID), fmt.Sprintf(`{"file":%q}`, theirs)).want(201)
		w.send(w.bob, "GET", theirs, "").want(200)
		w.send(w.ada, "GET", theirs, "").want(404)
		w.send(w.ada, "DELETE", fmt.Sprintf("/api/v1/comments/%d", comment.ID), "").want(204)
		w.send(w.ada, "GET", first, "").want(404)
		w.send(w.admin, "POST", fmt.Sprintf("/api/v1/comments/%d/restore", comment.ID), "").want(200)
		w.send(w.nobody, "GET", first, "").want(200)
		w.send(w.admin, "DELETE", fmt.Sprintf("/api/v1/comments/%d?hard=true", comment.ID), "").want(204)
		w.send(w.ada, "GET", first, "").want(404)
		w.swept(2)
		if w.stored() != 1 {
			w.t.Errorf("%d are stored after the comment is gone, want the one of the draft", w.stored())
		}
	})
}
