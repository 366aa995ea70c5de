package permissions_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	generated "github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/internal/trial/land"
)

// happenings make each subscription's event happen, and leave the owner's rows
// as they were.
var happenings = map[string]func(ctx context.Context, l *land.Land){
	"newPost": func(ctx context.Context, l *land.Land) {
		l.Ent.Post.Create().SetTitle("News").SetContent("Yes.").SetPublished(true).SetAuthorID(l.People["admin"].ID).SaveX(ctx)
	},
	"newComment": func(ctx context.Context, l *land.Land) {
		l.Ent.Comment.Create().SetText("News.").SetPostID(typed[typedid.PostID](l, l.Rows["posts"])).SetAuthorID(l.People["admin"].ID).SaveX(ctx)
	},
	"userStatusChanged": func(ctx context.Context, l *land.Land) {
		for _, role := range []user.Role{user.RoleEditor, user.RoleUser} {
			l.Ent.User.Update().Where(user.ID(l.People["owner"].ID)).SetRole(role).ExecX(ctx)
		}
	},
	"jobProgress": func(ctx context.Context, l *land.Land) {
		for _, progress := range []float64{0.5, 0} {
			l.Ent.Job.Update().Where(job.ID(typed[typedid.JobID](l, l.Rows["jobs"]))).SetProgress(progress).ExecX(ctx)
		}
	},
	"orderStatusChanged": func(ctx context.Context, l *land.Land) {
		for _, status := range []order.Status{order.StatusProcessing, order.StatusPending} {
			l.Ent.Order.Update().Where(order.ID(typed[typedid.OrderID](l, l.Rows["orders"]))).SetStatus(status).ExecX(ctx)
		}
	},
	"commentsLive": present, "ordersLive": present, "postsLive": present, "productsLive": present, "presence": present,
}

// present makes nothing happen: live lists tell at once of the rows that there are.
func present(context.Context, *land.Land) {}

// typed reads an id of a row.
func typed[T ~int64](l *land.Land, text string) T {
	n, err := strconv.ParseInt(text, 10, 64)
	l.Must(err)
	return T(n)
}

// streamQuestions are the subscriptions of the schema.
func streamQuestions(l *land.Land) (all []question) {
	s := generated.Generated(nil).GraphQL()
	for _, f := range s.Subscription.Fields {
		happen := happenings[f.Name]
		if happen == nil {
			l.Errorf("nothing makes the event of %s happen", f.Name)
			continue
		}
		all = append(all, question{
			name: "subscription " + f.Name,
			ask: func(l *land.Land) *http.Request {
				r := land.Post(l, "subscription { answer: "+callOf(l, s, f, "")+" }")
				r.Header.Set("Accept", "text/event-stream")
				return r
			},
			happens: func(l *land.Land) {
				l.Must(l.DB.InTx(l.System, func(ctx context.Context) error {
					happen(ctx, l)
					return nil
				}))
			},
			told: firstEvent,
		})
	}
	return all
}

// listener takes an event stream: it makes the event happen once the stream
// has begun, and hangs up after the first event.
type listener struct {
	*httptest.ResponseRecorder
	begun   bool
	happens func()
	hangUp  func()
}

func (w *listener) Write(b []byte) (int, error) {
	n, err := w.ResponseRecorder.Write(b)
	w.heard(string(b))
	return n, err
}

// WriteString implements io.StringWriter.
func (w *listener) WriteString(text string) (int, error) { return w.Write([]byte(text)) }

func (w *listener) heard(text string) {
	switch {
	case strings.HasPrefix(text, "event: next"):
		w.hangUp()
	case strings.HasPrefix(text, ":") && !w.begun:
		w.begun = true
		w.happens()
	}
}

// listen subscribes as the caller, and returns the first event.
func listen(l *land.Land, q question, r *http.Request) *httptest.ResponseRecorder {
	ctx, cancel := context.WithCancel(l.Context())
	defer cancel()
	w := &listener{ResponseRecorder: httptest.NewRecorder(), happens: func() { q.happens(l) }, hangUp: cancel}
	l.Site.ServeHTTP(w, r.WithContext(ctx))
	return w.ResponseRecorder
}

// firstEvent is the code of the first event's first error, "ok" without one. A refusal of
// the stream is no event.
func firstEvent(w *httptest.ResponseRecorder) string {
	_, event, ok := strings.Cut(w.Body.String(), "event: next\ndata: ")
	if !ok {
		return firstCode(w)
	}
	data, _, _ := strings.Cut(event, "\n")
	first := httptest.NewRecorder()
	first.Body.WriteString(data)
	return firstCode(first)
}
