package apis_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// admin makes an admin who has signed in.
func (f *front) admin(name string) (*guest, int64) {
	f.Helper()
	g := f.guest()
	email := name + "@example.com"
	g = g.bearer(g.post("register", "name", name, "email", email, "password", adasPassword).want(201).at("token"))
	users := orm.Client(f.db).User
	id := users.Query().Where(user.Email(email)).OnlyIDX(f.system())
	users.UpdateOneID(id).SetRole(user.Role(viewer.Admin)).ExecX(f.system())
	return g, int64(id)
}

// takings are the ways in which an admin is taken away.
func takings(id int64) []func(g *guest) *answered {
	rest := fmt.Sprintf("/api/v1/users/%d", id)
	mutation := func(format string) func(g *guest) *answered {
		return func(g *guest) *answered { return g.graphql(fmt.Sprintf("mutation { "+format+" }", id)) }
	}
	request := func(method, path, body string) func(g *guest) *answered {
		return func(g *guest) *answered { return g.ask(method, rest+path, body) }
	}
	return []func(g *guest) *answered{
		request("PATCH", "", `{"role":"editor"}`),
		request("PATCH", "", `{"is_active":false}`),
		request("PUT", "", `{"name":"Grace","email":"grace@example.com"}`),
		request("POST", "/deactivate", ""),
		request("DELETE", "", ""),
		request("DELETE", "?hard=true", ""),
		mutation(`updateUser(id: %d, input: {role: editor}) { id }`),
		mutation(`updateUser(id: %d, input: {isActive: false}) { id }`),
		mutation(`deactivateUser(id: %d) { id }`),
		mutation(`deleteUser(id: %d)`),
		mutation(`deleteUser(id: %d, hard: true)`),
	}
}

func TestTheLastAdminStays(t *testing.T) {
	eachFront(t, func(f *front) {
		grace, id := f.admin("grace")
		for i, take := range takings(id) {
			a := take(grace)
			if a.outcome("never") != "409" {
				t.Errorf("taking %d: %d %s", i, a.status, a.text)
			}
		}
		rest := fmt.Sprintf("/api/v1/users/%d", id)
		grace.ask("PATCH", rest, `{"name":"Grace Hopper","role":"admin"}`).want(200, `"role":"admin"`)

		_, other := f.admin("mary")
		grace.ask("POST", fmt.Sprintf("/api/v1/users/%d/deactivate", other), "").want(200)
		grace.ask("PATCH", rest, `{"role":"editor"}`).want(409, "last active admin") // one who is inactive is none
		grace.ask("POST", fmt.Sprintf("/api/v1/users/%d/activate", other), "").want(200)
		grace.ask("PATCH", rest, `{"role":"editor"}`).want(200)
		grace.ask("PATCH", rest, `{"role":"admin"}`).want(403) // at once
	})
}

// A hook that keeps one row of each group holds for writes by Ent's client, whose ids
// have types of their own.
func TestEachPostKeepsAComment(t *testing.T) {
	eachFront(t, func(f *front) {
		ctx, client := f.system(), orm.Client(f.db)
		client.Comment.Use(policy.KeepOnePer("comments", "post_id", policy.Null("deleted_at"), "this is the last comment"))
		_, id := f.admin("grace")
		var comments [2][2]typedid.CommentID
		for i := range comments {
			post := client.Post.Create().SetAuthorID(typedid.UserID(id)).SetTitle("A post").SetContent("…").SaveX(ctx)
			for j := range comments[i] {
				comments[i][j] = client.Comment.Create().SetPostID(post.ID).SetAuthorID(typedid.UserID(id)).SetText("Yes.").SaveX(ctx).ID
			}
		}
		for _, step := range []struct {
			what string
			err  error
			kept bool
		}{
			{"one of two", client.Comment.DeleteOneID(comments[0][0]).Exec(ctx), false},
			{"the last", client.Comment.DeleteOneID(comments[0][1]).Exec(ctx), true},
			{"the last, softly", client.Comment.UpdateOneID(comments[0][1]).SetDeletedAt(time.Now()).Exec(ctx), true},
			{"one of another", client.Comment.DeleteOneID(comments[1][0]).Exec(ctx), false},
		} {
			if got := problem.KindOf(step.err) == problem.Conflict; got != step.kept || !step.kept && step.err != nil {
				t.Errorf("%s: %v, want it refused: %v", step.what, step.err, step.kept)
			}
		}
	})
}

// Admins who take the role from each other, or from themselves, at the same
// time leave one.
func TestAdminsAtOnceLeaveOne(t *testing.T) {
	eachFront(t, func(f *front) {
		users := orm.Client(f.db).User
		for round := range 8 {
			var admins []*guest
			var ids []int64
			for i := range 2 {
				g, id := f.admin(fmt.Sprintf("admin%d-%d", round, i))
				admins, ids = append(admins, g), append(ids, id)
			}
			users.Update().Where(user.RoleEQ(user.RoleAdmin), user.IDNotIn(typedid.UserID(ids[0]), typedid.UserID(ids[1]))).SetRole(user.RoleUser).ExecX(f.system())
			begin, done := make(chan struct{}), make(chan int)
			for i, g := range admins {
				target := ids[(i+round)%2] // the other's, or their own
				take := takings(target)[[]int{0, 3, 4, 6}[round/2]]
				go func() {
					<-begin
					done <- take(g).status
				}()
			}
			close(begin)
			<-done
			<-done
			if n := users.Query().Where(user.RoleEQ(user.RoleAdmin), user.IsActive(true)).CountX(f.system()); n != 1 {
				t.Errorf("round %d: %d admins are left", round, n)
			}
		}
	})
}
