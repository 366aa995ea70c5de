// Package land has the service in the process of a test, with one row of every entity and
// a credential of every kind of caller: what tables of permissions, the fuzzer and tests
// of all doors ask. Only tests import it.
package land

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/refund"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/activities"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/program"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// Callers are the columns of the tables of permissions. The owner is whose
// rows are asked for, the other user has no part in them.
var Callers = []string{
	"anonymous", "owner", "other", "moderator", "editor", "developer", "admin", "read-key", "write-key", "deactivated", "expired",
}

// Land is a service with one row of every entity, which belongs to the owner,
// and a credential of every caller.
type Land struct {
	*testing.T
	DB      *store.DB
	Site    http.Handler
	Server  *web.Server
	System  context.Context
	Ent     *ent.Client
	People  map[string]*ent.User
	Headers map[string][2]string // of each caller: what proves who calls
	Rows    map[string]string    // ids by name: "posts", and "posts@draft" for one in that state
}

// New makes the service, its callers and their rows in a database of the test.
func New(t *testing.T, db *store.DB) *Land {
	p := &app.Process{Stdout: io.Discard, Stderr: t.Output()}
	p.Environ = []string{"ENTWINE_DATA_DIR=" + t.TempDir(), "ENTWINE_BCRYPT_COST=4", "ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_LOG_LEVEL=error", "ENTWINE_ACCESS_TOKEN_TIME=24h"}
	server, end, err := program.Service("", "").Embed(t.Context(), p, db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = end() })
	l := &Land{
		T: t, DB: db, Site: server.Handler, Server: server, Ent: orm.Client(db), System: viewer.With(t.Context(), viewer.System()),
		People: map[string]*ent.User{}, Headers: map[string][2]string{}, Rows: map[string]string{},
	}
	l.settle(p.Config)
	l.build()
	l.keep(p.Config.FilesDir)
	return l
}

// settle makes the callers and their credentials.
func (l *Land) settle(c *config.Config) {
	folder := c.DataDir
	keys, err := account.OpenKeys(filepath.Join(folder, config.TokenKeyFile))
	l.Must(err)
	vault, err := account.OpenVault(filepath.Join(folder, config.SecretKeyFile))
	l.Must(err)
	a := account.New(account.Config{
		DB: l.DB, Users: activities.Users(l.DB), Keys: activities.Keyring(l.DB).Keys, Bus: new(pubsub.Memory),
		Issuer: &account.Issuer{Keys: keys, Name: "entwine", Lifetime: c.Account.AccessTime}, Vault: vault, PasswordCost: c.Account.BcryptCost,
	})
	for _, name := range Callers {
		role := viewer.Role("user")
		switch name {
		case "anonymous":
			continue
		case "read-key", "write-key":
			permission := viewer.Read
			if name == "write-key" {
				permission = viewer.Write
			}
			keys := activities.Keyring(l.DB)
			text, _, err := keys.Create(l.System, account.NewAPIKey{ClientName: name, Permissions: []string{string(permission)}})
			l.Must(err)
			l.Headers[name] = [2]string{"X-API-Key", text}
			continue
		case "moderator", "editor", "developer", "admin":
			role = viewer.Role(name)
		}
		in := account.Registration{Name: "The " + name, Email: name + "@example.com", Password: "correct horse 1"}
		who, err := a.Registrar.Create(l.System, in, role)
		l.Must(err)
		l.People[name] = l.Ent.User.GetX(l.System, typedid.UserID(who.ID))
		grant, err := a.Gate.Admit(l.System, who, account.ModeBearer, account.Origin{})
		l.Must(err)
		token := grant.Access.Text
		if name == "expired" {
			past := *a.Gate.Issuer
			past.Now = func() time.Time { return time.Now().Add(-48 * time.Hour) }
			old, err := past.Issue(who.ID, role, "")
			l.Must(err)
			token = old.Text
		}
		l.Headers[name] = [2]string{"Authorization", "Bearer " + token}
	}
	l.Must(l.Ent.User.Update().Where(user.ID(l.People["deactivated"].ID)).SetIsActive(false).Exec(l.System))
}

// build makes a row of every entity.
func (l *Land) build() {
	owner, admin := l.People["owner"].ID, l.People["admin"].ID
	l.Rows["users"] = id(owner)
	category := l.Ent.Category.Create().SetName("history").SaveX(l.System)
	l.Rows["categories"], l.Rows["Category"] = category.Name, id(category.ID)
	post := l.Ent.Post.Create().SetTitle("Published").SetContent("Yes.").SetPublished(true).SetAuthorID(owner).SetCategoryID(category.ID).SaveX(l.System)
	draft := l.Ent.Post.Create().SetTitle("Draft").SetContent("Not yet.").SetAuthorID(owner).SaveX(l.System)
	l.Rows["posts"], l.Rows["posts@draft"] = id(post.ID), id(draft.ID)
	l.Rows["posts, globally"] = gid.Encode("Post", int64(post.ID))
	comment := l.Ent.Comment.Create().SetText("Well.").SetPostID(post.ID).SetAuthorID(owner).SaveX(l.System)
	l.Rows["comments"] = id(comment.ID)
	l.Rows["comment-attachments"] = id(l.Ent.CommentAttachment.Create().SetCommentID(comment.ID).SetCaption("A note.").SaveX(l.System).ID)
	l.Rows["likes"] = id(l.Ent.Like.Create().SetPostID(post.ID).SetUserID(owner).SaveX(l.System).ID)
	l.Rows["shares"] = id(l.Ent.Share.Create().SetPostID(post.ID).SetUserID(owner).SaveX(l.System).ID)
	l.Rows["follows"] = id(l.Ent.Follow.Create().SetFollowerID(owner).SetFolloweeID(admin).SaveX(l.System).ID)
	l.Rows["profile"] = id(l.Ent.Profile.Create().SetUserID(owner).SetBio("Owns.").SaveX(l.System).ID)
	deleted := l.Ent.User.Create().SetName("The deleted").SetEmail("deleted@example.com").SaveX(l.System)
	l.Must(l.Ent.User.UpdateOneID(deleted.ID).SetDeletedAt(store.Time(time.Now())).Exec(l.System))
	l.Rows["users@deleted"] = id(deleted.ID)
	l.trade(owner)
	l.work(owner)
}

// trade makes what the owner buys.
func (l *Land) trade(owner typedid.UserID) {
	product := l.Ent.Product.Create().SetName("Slide rule").SetPrice(1999).SaveX(l.System)
	l.Rows["products"] = id(product.ID)
	l.Rows["product-pictures"] = id(l.Ent.ProductPicture.Create().SetProductID(product.ID).SetAlt("A slide rule.").SaveX(l.System).ID)
	l.Rows["reviews"] = id(l.Ent.Review.Create().SetRating(5).SetProductID(product.ID).SetAuthorID(owner).SaveX(l.System).ID)
	l.Rows["cart/items"] = id(l.Ent.CartItem.Create().SetProductID(product.ID).SetUserID(owner).SaveX(l.System).ID)
	bought := func(buyer typedid.UserID, status order.Status) *ent.Order {
		o := l.Ent.Order.Create().SetUserID(buyer).SetStatus(status).SetTotal(1999).SetCurrency("USD").SaveX(l.System)
		item := l.Ent.OrderItem.Create().SetOrderID(o.ID).SetProductID(product.ID).SetName(product.Name).
			SetPrice(1999).SetQuantity(1).SetTotal(1999).SetCurrency("USD").SaveX(l.System)
		l.Rows["order-items"] = id(item.ID)
		return o
	}
	for _, name := range []string{"other", "moderator", "editor", "developer", "admin"} {
		bought(l.People[name].ID, order.StatusPaid) // so that they may review it
	}
	paid := bought(owner, order.StatusPaid)
	pending := bought(owner, order.StatusPending)
	l.Rows["orders"], l.Rows["orders@paid"] = id(pending.ID), id(paid.ID)
	payment := l.Ent.Payment.Create().SetStatus(payment.StatusSucceeded).SetAmount(1999).SetCurrency("USD").SetGateway("sandbox").
		SetGatewayReference("sandbox-1").SetCapturedAt(time.Now()).SetOrderID(paid.ID).SetUserID(owner).SaveX(l.System)
	l.Rows["payments"] = id(payment.ID)
	storetest.Do(l, l.DB, `INSERT INTO sandbox_charges (idempotency_key, amount, currency, status, reason, settles_at, created_at)
		VALUES ($1, 1999, 'USD', 'succeeded', '', now(), now())`, "payment-"+id(payment.ID))
	l.Rows["refunds"] = id(l.Ent.Refund.Create().SetStatus(refund.StatusFailed).SetAmount(1).SetCurrency("USD").SetPaymentID(payment.ID).SaveX(l.System).ID)
	l.Rows["invoice"] = id(l.Ent.Invoice.Create().SetNumber(1000).SetCustomerName("The owner").SetCustomerEmail("owner@example.com").
		SetLines(nil).SetSubtotal(1999).SetTotal(1999).SetCurrency("USD").SetOrderID(paid.ID).SetUserID(owner).SaveX(l.System).ID)
}

// id writes an id of any type.
func id[T ~int64](of T) string { return strconv.FormatInt(int64(of), 10) }

// Must fails the test at an error.
func (l *Land) Must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// Example fills the owner's rows into an example of a body.
func (l *Land) Example(body map[string]any) string {
	refers := map[string]string{"product_id": "products", "post_id": "posts"}
	for name := range body {
		if row := refers[name]; row != "" {
			body[name] = json.Number(l.Rows[row])
		}
	}
	text, err := json.Marshal(body)
	l.Must(err)
	return string(text)
}

// Filled fills the owner's rows into a text: $posts is the id of their post.
func (l *Land) Filled(text string) string {
	return os.Expand(text, func(name string) string {
		row, ok := l.Rows[name]
		if !ok {
			l.Fatalf("%s: there is no row of %s", text, name)
		}
		return row
	})
}

// work makes what processes do for the owner.
func (l *Land) work(owner typedid.UserID) {
	job := l.Ent.Job.Create().SetKind("report").SetStatus(job.StatusFailed).SetArgs(json.RawMessage(`{}`)).SetUserID(owner).SaveX(l.System)
	l.Rows["jobs"] = id(job.ID)
	mail := l.Ent.Email.Create().SetMessageID("1@example.com").SetSender("a@example.com").SetRecipient("b@example.com").
		SetSubject("Hello").SetText("There.").SaveX(l.System)
	l.Rows["emails"] = id(mail.ID)
	use := l.Ent.DeprecatedUse.Create().SetIdentity("a").SetDay("2027-01-31").SetKind("version").SetName("v1").SetAgent("curl").SaveX(l.System)
	l.Rows["deprecated-uses"] = id(use.ID)
	key := l.Ent.APIKey.Query().FirstX(l.System)
	l.Rows["api-keys"] = id(key.ID)
	l.Rows["auth/sessions"] = storetest.Ask[string](l, l.DB, "SELECT sid FROM refresh_families WHERE user_id = $1", int64(owner))[0]
}

// Post is a request for a GraphQL document.
func Post(l *Land, document string) *http.Request {
	body, err := json.Marshal(map[string]string{"query": document})
	l.Must(err)
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	return r
}

// Subject is the type of the rows that a root field is about: the one that ends
// its name, else the one that it returns.
func Subject(s *ast.Schema, f *ast.FieldDefinition) string {
	about := ""
	for name, def := range s.Types {
		named := strings.HasSuffix(f.Name, name) || strings.HasSuffix(f.Name, name+"s")
		if named && (def.Kind == ast.Object || def.Kind == ast.Interface) && len(name) > len(about) {
			about = name
		}
	}
	if about != "" {
		return about
	}
	return strings.TrimSuffix(f.Type.Name(), "Connection")
}

// Global is the global id of the owner's row of a type.
func (l *Land) Global(name, state string) string {
	if name == "Node" {
		name = "User"
	}
	for _, e := range entity.All {
		if e.Name != name {
			continue
		}
		for _, row := range []string{e.Name, e.Path + state, e.Path} {
			if text, ok := l.Rows[row]; ok {
				var n int64
				if _, err := fmt.Sscan(text, &n); err == nil {
					return gid.Encode(e.Name, n)
				}
			}
		}
		l.Errorf("there is no row of %s (%s)", e.Name, e.Path)
		return ""
	}
	l.Errorf("%s is no entity", name)
	return ""
}

// Path fills in the owner's rows: {id} is of what the segments before it are.
func (l *Land) Path(path, state string) string {
	var collection []string
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, segment := range segments {
		if !strings.HasPrefix(segment, "{") {
			collection = append(collection, segment)
			continue
		}
		name := strings.Join(collection, "/")
		row, ok := l.Rows[name+state]
		if !ok {
			row, ok = l.Rows[name]
		}
		if !ok {
			l.Errorf("%s: there is no row of %s", path, name)
			row, l.Rows[name] = "0", "0" // shown once
		}
		segments[i], collection = row, nil
	}
	return "/" + strings.Join(segments, "/")
}
