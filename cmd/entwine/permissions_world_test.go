package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/refund"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/activities"
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

// callers are the columns of the tables of permissions. The owner is whose
// rows are asked for, the other user has no part in them.
var callers = []string{
	"anonymous", "owner", "other", "moderator", "editor", "developer", "admin", "read-key", "write-key", "deactivated", "expired",
}

// land is a service with one row of every entity, which belongs to the owner,
// and a credential of every caller.
type land struct {
	*testing.T
	db      *store.DB
	site    http.Handler
	server  *web.Server
	system  context.Context
	ent     *ent.Client
	people  map[string]*ent.User
	headers map[string][2]string // of each caller: what proves who calls
	rows    map[string]string    // ids by name: "posts", and "posts@draft" for one in that state
}

func newLand(t *testing.T, db *store.DB) *land {
	p := &app.Process{Stdout: io.Discard, Stderr: t.Output()}
	p.Environ = []string{"ENTWINE_DATA_DIR=" + t.TempDir(), "ENTWINE_BCRYPT_COST=4", "ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_LOG_LEVEL=error", "ENTWINE_ACCESS_TOKEN_TIME=24h"}
	server, end, err := service().Embed(t.Context(), p, db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = end() })
	l := &land{
		T: t, db: db, site: server.Handler, server: server, ent: orm.Client(db), system: viewer.With(t.Context(), viewer.System()),
		people: map[string]*ent.User{}, headers: map[string][2]string{}, rows: map[string]string{},
	}
	l.settle(p.Config)
	l.build()
	l.keep(p.Config.FilesDir)
	return l
}

// settle makes the callers and their credentials.
func (l *land) settle(c *config.Config) {
	folder := c.DataDir
	keys, err := account.OpenKeys(filepath.Join(folder, config.TokenKeyFile))
	l.must(err)
	vault, err := account.OpenVault(filepath.Join(folder, config.SecretKeyFile))
	l.must(err)
	a := account.New(account.Config{
		DB: l.db, Users: activities.Users(l.db), Keys: activities.Keyring(l.db).Keys, Bus: new(pubsub.Memory),
		Issuer: &account.Issuer{Keys: keys, Name: "entwine", Lifetime: c.Account.AccessTime}, Vault: vault, PasswordCost: c.Account.BcryptCost,
	})
	for _, name := range callers {
		role := viewer.Role("user")
		switch name {
		case "anonymous":
			continue
		case "read-key", "write-key":
			permission := viewer.Read
			if name == "write-key" {
				permission = viewer.Write
			}
			keys := activities.Keyring(l.db)
			text, _, err := keys.Create(l.system, account.NewAPIKey{ClientName: name, Permissions: []string{string(permission)}})
			l.must(err)
			l.headers[name] = [2]string{"X-API-Key", text}
			continue
		case "moderator", "editor", "developer", "admin":
			role = viewer.Role(name)
		}
		in := account.Registration{Name: "The " + name, Email: name + "@example.com", Password: "correct horse 1"}
		who, err := a.Registrar.Create(l.system, in, role)
		l.must(err)
		l.people[name] = l.ent.User.GetX(l.system, typedid.UserID(who.ID))
		grant, err := a.Gate.Admit(l.system, who, account.ModeBearer, account.Origin{})
		l.must(err)
		token := grant.Access.Text
		if name == "expired" {
			past := *a.Gate.Issuer
			past.Now = func() time.Time { return time.Now().Add(-48 * time.Hour) }
			old, err := past.Issue(who.ID, role, "")
			l.must(err)
			token = old.Text
		}
		l.headers[name] = [2]string{"Authorization", "Bearer " + token}
	}
	l.must(l.ent.User.Update().Where(user.ID(l.people["deactivated"].ID)).SetIsActive(false).Exec(l.system))
}

// build makes a row of every entity.
func (l *land) build() {
	owner, admin := l.people["owner"].ID, l.people["admin"].ID
	l.rows["users"] = id(owner)
	category := l.ent.Category.Create().SetName("history").SaveX(l.system)
	l.rows["categories"], l.rows["Category"] = category.Name, id(category.ID)
	post := l.ent.Post.Create().SetTitle("Published").SetContent("Yes.").SetPublished(true).SetAuthorID(owner).SetCategoryID(category.ID).SaveX(l.system)
	draft := l.ent.Post.Create().SetTitle("Draft").SetContent("Not yet.").SetAuthorID(owner).SaveX(l.system)
	l.rows["posts"], l.rows["posts@draft"] = id(post.ID), id(draft.ID)
	l.rows["posts, globally"] = gid.Encode("Post", int64(post.ID))
	comment := l.ent.Comment.Create().SetText("Well.").SetPostID(post.ID).SetAuthorID(owner).SaveX(l.system)
	l.rows["comments"] = id(comment.ID)
	l.rows["comment-attachments"] = id(l.ent.CommentAttachment.Create().SetCommentID(comment.ID).SetCaption("A note.").SaveX(l.system).ID)
	l.rows["likes"] = id(l.ent.Like.Create().SetPostID(post.ID).SetUserID(owner).SaveX(l.system).ID)
	l.rows["shares"] = id(l.ent.Share.Create().SetPostID(post.ID).SetUserID(owner).SaveX(l.system).ID)
	l.rows["follows"] = id(l.ent.Follow.Create().SetFollowerID(owner).SetFolloweeID(admin).SaveX(l.system).ID)
	l.rows["profile"] = id(l.ent.Profile.Create().SetUserID(owner).SetBio("Owns.").SaveX(l.system).ID)
	deleted := l.ent.User.Create().SetName("The deleted").SetEmail("deleted@example.com").SaveX(l.system)
	l.must(l.ent.User.UpdateOneID(deleted.ID).SetDeletedAt(store.Time(time.Now())).Exec(l.system))
	l.rows["users@deleted"] = id(deleted.ID)
	l.trade(owner)
	l.work(owner)
}

// trade makes what the owner buys.
func (l *land) trade(owner typedid.UserID) {
	product := l.ent.Product.Create().SetName("Slide rule").SetPrice(1999).SaveX(l.system)
	l.rows["products"] = id(product.ID)
	l.rows["product-pictures"] = id(l.ent.ProductPicture.Create().SetProductID(product.ID).SetAlt("A slide rule.").SaveX(l.system).ID)
	l.rows["reviews"] = id(l.ent.Review.Create().SetRating(5).SetProductID(product.ID).SetAuthorID(owner).SaveX(l.system).ID)
	l.rows["cart/items"] = id(l.ent.CartItem.Create().SetProductID(product.ID).SetUserID(owner).SaveX(l.system).ID)
	bought := func(buyer typedid.UserID, status order.Status) *ent.Order {
		o := l.ent.Order.Create().SetUserID(buyer).SetStatus(status).SetTotal(1999).SetCurrency("USD").SaveX(l.system)
		item := l.ent.OrderItem.Create().SetOrderID(o.ID).SetProductID(product.ID).SetName(product.Name).
			SetPrice(1999).SetQuantity(1).SetTotal(1999).SetCurrency("USD").SaveX(l.system)
		l.rows["order-items"] = id(item.ID)
		return o
	}
	for _, name := range []string{"other", "moderator", "editor", "developer", "admin"} {
		bought(l.people[name].ID, order.StatusPaid) // so that they may review it
	}
	paid := bought(owner, order.StatusPaid)
	pending := bought(owner, order.StatusPending)
	l.rows["orders"], l.rows["orders@paid"] = id(pending.ID), id(paid.ID)
	payment := l.ent.Payment.Create().SetStatus(payment.StatusSucceeded).SetAmount(1999).SetCurrency("USD").SetGateway("sandbox").
		SetGatewayReference("sandbox-1").SetCapturedAt(time.Now()).SetOrderID(paid.ID).SetUserID(owner).SaveX(l.system)
	l.rows["payments"] = id(payment.ID)
	storetest.Do(l, l.db, `INSERT INTO sandbox_charges (idempotency_key, amount, currency, status, reason, settles_at, created_at)
		VALUES ($1, 1999, 'USD', 'succeeded', '', now(), now())`, "payment-"+id(payment.ID))
	l.rows["refunds"] = id(l.ent.Refund.Create().SetStatus(refund.StatusFailed).SetAmount(1).SetCurrency("USD").SetPaymentID(payment.ID).SaveX(l.system).ID)
	l.rows["invoice"] = id(l.ent.Invoice.Create().SetNumber(1000).SetCustomerName("The owner").SetCustomerEmail("owner@example.com").
		SetLines(nil).SetSubtotal(1999).SetTotal(1999).SetCurrency("USD").SetOrderID(paid.ID).SetUserID(owner).SaveX(l.system).ID)
}

// id writes an id of any type.
func id[T ~int64](of T) string { return strconv.FormatInt(int64(of), 10) }

func (l *land) must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// example fills the owner's rows into an example of a body.
func (l *land) example(body map[string]any) string {
	refers := map[string]string{"product_id": "products", "post_id": "posts"}
	for name := range body {
		if row := refers[name]; row != "" {
			body[name] = json.Number(l.rows[row])
		}
	}
	text, err := json.Marshal(body)
	l.must(err)
	return string(text)
}

// filled fills the owner's rows into a text: $posts is the id of their post.
func (l *land) filled(text string) string {
	return os.Expand(text, func(name string) string {
		row, ok := l.rows[name]
		if !ok {
			l.Fatalf("%s: there is no row of %s", text, name)
		}
		return row
	})
}

// work makes what processes do for the owner.
func (l *land) work(owner typedid.UserID) {
	job := l.ent.Job.Create().SetKind("report").SetStatus(job.StatusFailed).SetArgs(json.RawMessage(`{}`)).SetUserID(owner).SaveX(l.system)
	l.rows["jobs"] = id(job.ID)
	mail := l.ent.Email.Create().SetMessageID("1@example.com").SetSender("a@example.com").SetRecipient("b@example.com").
		SetSubject("Hello").SetText("There.").SaveX(l.system)
	l.rows["emails"] = id(mail.ID)
	use := l.ent.DeprecatedUse.Create().SetIdentity("a").SetDay("2027-01-31").SetKind("version").SetName("v1").SetAgent("curl").SaveX(l.system)
	l.rows["deprecated-uses"] = id(use.ID)
	key := l.ent.APIKey.Query().FirstX(l.system)
	l.rows["api-keys"] = id(key.ID)
	l.rows["auth/sessions"] = storetest.Ask[string](l, l.db, "SELECT sid FROM refresh_families WHERE user_id = $1", int64(owner))[0]
}
