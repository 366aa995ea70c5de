package schema_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// The callers of the tests. Every row of the world is the owner's.
var viewers = []struct {
	name   string
	viewer *viewer.Viewer
}{
	{"anonymous", viewer.Anonymous()},
	{"owner", &viewer.Viewer{UserID: 7, Role: "user"}},
	{"other", &viewer.Viewer{UserID: 8, Role: "user"}},
	{"moderator", &viewer.Viewer{UserID: 9, Role: "moderator"}},
	{"editor", &viewer.Viewer{UserID: 10, Role: "editor"}},
	{"developer", &viewer.Viewer{UserID: 11, Role: "developer"}},
	{"admin", &viewer.Viewer{UserID: 12, Role: viewer.Admin}},
	{"reader", &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read}}},
	{"writer", &viewer.Viewer{KeyID: 2, Permissions: []viewer.Permission{viewer.Write}}},
}

const (
	owner, other, admin = 7, 8, 12
	gone                = 20 // a user who is deleted
	reader, writer      = 1, 2
)

// rows names the rows of the world, by entity and kind of row.
var rows = map[string]map[string]int64{
	"APIKey":            {"any": 1},
	"CartItem":          {"theirs": 1},
	"Category":          {"any": 1, "deleted": 2},
	"Comment":           {"on a post": 1, "on a draft": 2, "deleted": 3},
	"CommentAttachment": {"on a post": 1, "on a draft": 2, "on a deleted one": 3},
	"DeprecatedUse":     {"any": 1},
	"Email":             {"any": 1},
	"Follow":            {"theirs": 1, "of a deleted one": 2},
	"Invoice":           {"theirs": 1},
	"Job":               {"by user": 1, "by writer": 2, "by system": 3, "by reader": 4},
	"Like":              {"of a post": 1, "of a draft": 2},
	"Order":             {"theirs": 1, "nobody's": 2},
	"OrderItem":         {"theirs": 1},
	"Payment":           {"theirs": 1},
	"Post":              {"published": 1, "draft": 2, "archived": 3, "deleted": 4},
	"Product":           {"any": 1, "deleted": 3},
	"ProductPicture":    {"of a product": 1, "of a deleted one": 2},
	"Profile":           {"theirs": 1, "deleted": 2},
	"Refund":            {"theirs": 1},
	"Review":            {"of a purchase": 1, "of anything": 2, "deleted": 3},
	"Share":             {"of a post": 1, "of a draft": 2},
	"User":              {"self": owner, "deleted": gone},
}

// populate makes the rows, as the system.
func populate(t *testing.T, db *store.DB) (context.Context, *ent.Client) {
	t.Helper()
	ctx := viewer.With(t.Context(), viewer.System())
	c := orm.Client(db)
	w := world{t: t, ctx: ctx, Client: c, at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w.people()
	w.content()
	w.commerce()
	w.work()
	return ctx, c
}

type world struct {
	*ent.Client
	t   *testing.T
	db  *store.DB
	ctx context.Context
	at  time.Time
}

// saves is a builder of one row.
type saves[T any] interface {
	Save(context.Context) (T, error)
}

// save makes a row that the world cannot do without.
func save[T any](w world, row saves[T]) T {
	w.t.Helper()
	saved, err := row.Save(w.ctx)
	if err != nil {
		w.t.Fatal(err)
	}
	return saved
}

func (w world) people() {
	for _, v := range viewers {
		if v.viewer.UserID != 0 {
			save(w, w.User.Create().SetID(userID(v.viewer.UserID)).SetName("The "+v.name).SetEmail(v.name+"@example.com").SetRole(roleOf(v.viewer)))
		}
	}
	save(w, w.User.Create().SetID(gone).SetName("Gone").SetEmail("gone@example.com").SetDeletedAt(w.at))
	save(w, w.Profile.Create().SetUserID(owner))
	save(w, w.Profile.Create().SetUserID(gone))
	save(w, w.Follow.Create().SetFollowerID(owner).SetFolloweeID(other))
	save(w, w.Follow.Create().SetFollowerID(owner).SetFolloweeID(gone))
	for i := range 2 {
		save(w, w.APIKey.Create().SetClientName("a client").SetPrefix(fmt.Sprintf("ek_%d", i)).SetSecretHash([]byte{1}).SetPermissions([]string{"read"}))
	}
}

func (w world) content() {
	save(w, w.Category.Create().SetName("science"))
	save(w, w.Category.Create().SetName("alchemy").SetDeletedAt(w.at))
	for _, kind := range []string{"published", "draft", "archived", "deleted"} {
		post := w.Post.Create().SetTitle(kind).SetContent("…").SetAuthorID(owner).SetCategoryID(1).SetPublished(kind != "draft")
		switch kind {
		case "archived":
			post.SetArchivedAt(w.at)
		case "deleted":
			post.SetDeletedAt(w.at)
		}
		save(w, post)
	}
	theirs := save(w, w.Post.Create().SetTitle("another's draft").SetContent("…").SetAuthorID(other))
	save(w, w.Comment.Create().SetText("…").SetPostID(1).SetAuthorID(owner))
	save(w, w.Comment.Create().SetText("…").SetPostID(theirs.ID).SetAuthorID(owner))
	save(w, w.Comment.Create().SetText("…").SetPostID(1).SetAuthorID(owner).SetDeletedAt(w.at))
	for comment := range 3 {
		save(w, w.CommentAttachment.Create().SetCommentID(typedid.CommentID(comment+1)))
	}
	save(w, w.Like.Create().SetPostID(1).SetUserID(owner))
	save(w, w.Like.Create().SetPostID(theirs.ID).SetUserID(owner))
	save(w, w.Share.Create().SetPostID(1).SetUserID(owner))
	save(w, w.Share.Create().SetPostID(theirs.ID).SetUserID(owner))
}

func (w world) commerce() {
	bought := save(w, w.Product.Create().SetName("Slide rule").SetPrice(1999).SetStock(3))
	unbought := save(w, w.Product.Create().SetName("Abacus").SetPrice(999))
	deleted := save(w, w.Product.Create().SetName("Astrolabe").SetPrice(999).SetDeletedAt(w.at))
	save(w, w.ProductPicture.Create().SetProductID(bought.ID))
	save(w, w.ProductPicture.Create().SetProductID(deleted.ID))
	save(w, w.CartItem.Create().SetProductID(unbought.ID).SetUserID(owner))
	paid := save(w, w.Order.Create().SetUserID(owner).SetTotal(3998).SetCurrency("USD").SetStatus("paid").SetPaidAt(w.at))
	save(w, w.Order.Create().SetTotal(0).SetCurrency("USD"))
	save(w, w.OrderItem.Create().SetOrderID(paid.ID).SetProductID(bought.ID).SetName("Slide rule").SetPrice(1999).SetQuantity(2).SetTotal(3998).SetCurrency("USD"))
	payment := save(w, w.Payment.Create().SetOrderID(paid.ID).SetUserID(owner).SetAmount(3998).SetCurrency("USD").SetGateway("sandbox").SetStatus("succeeded").SetCapturedAt(w.at))
	save(w, w.Refund.Create().SetPaymentID(payment.ID).SetAmount(1000).SetCurrency("USD"))
	save(w, w.Invoice.Create().SetOrderID(paid.ID).SetUserID(owner).SetNumber(1).SetCustomerName("Ada").SetCustomerEmail("ada@example.com").
		SetLines(nil).SetSubtotal(3998).SetTotal(3998).SetCurrency("USD"))
	save(w, w.Review.Create().SetProductID(bought.ID).SetAuthorID(owner).SetRating(5))
	save(w, w.Review.Create().SetProductID(unbought.ID).SetAuthorID(owner).SetRating(4))
	save(w, w.Review.Create().SetProductID(bought.ID).SetAuthorID(owner).SetRating(1).SetDeletedAt(w.at))
}

func (w world) work() {
	save(w, w.Job.Create().SetKind("report").SetArgs([]byte("{}")).SetUserID(owner))
	save(w, w.Job.Create().SetKind("email").SetArgs([]byte("{}")).SetKeyID(writer))
	save(w, w.Job.Create().SetKind("purge").SetArgs([]byte("{}")))
	save(w, w.Job.Create().SetKind("report").SetArgs([]byte("{}")).SetKeyID(reader))
	save(w, w.DeprecatedUse.Create().SetIdentity("a").SetDay("2027-01-31").SetKind("version").SetName("v1").SetAgent("curl"))
	save(w, w.Email.Create().SetMessageID("<1@example.com>").SetSender("a@example.com").SetRecipient("b@example.com").SetSubject("…").SetText("…"))
}
