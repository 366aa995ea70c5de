// Package schema is the source of truth of entwine: the only thing that a
// person edits to change what the service stores and shows. From each entity
// here follow its table on PostgreSQL and SQLite with the triggers it asks
// for, Ent's code, its REST paths with their OpenAPI document, and its GraphQL
// type with connection, filters, ordering and mutations. The package imports
// nothing that is generated, so everything can be made again from nothing.
//
// It is one package, of one file for each entity, because Ent reads the schemas of one
// package, and edges name the types of others.
//
// # How to read a schema
//
// One entity is one file, and every file answers the same questions in the
// same order:
//
//	Fields       what is stored, and what the APIs show and do with it
//	Mixin        what it shares with others (mixin.go)
//	Edges        what it belongs to, what belongs to it, and what becomes of that on removal
//	Indexes      which listings and lookups are fast, and what is unique
//	Hooks        what follows from what is written (hook.go), if anything does
//	Policy       who can read which rows, and who may do what to them (rule.go)
//	Annotations  what the database checks, and where the APIs show the entity
//
// A comment on a field, an edge or an entity is read by the people who use the
// APIs: it becomes the description in GraphQL and OpenAPI, and the Go comment.
// Comments on Go declarations are for those who read this package.
//
// # How to add an entity
//
// Write its file, for instance supplier.go with what stands at the end of this
// page, and run
//
//	make generate migration NAME=add_supplier
//
// Then say who may do what: the tests fail until world_test.go has a row of
// each kind, and policies_test.go a cell for every caller, verb and kind of row
// of a new entity; they print the table as the policy has it, to be read and
// pasted. Ids and foreign
// keys are written as Int64; their Go types (ent/typedid), their GraphQL
// models, the columns that searching needs and an index for each foreign key
// are generated. A field that can be null is Optional and Nillable; JSON, of
// which Ent knows no pointer, is null where it is Optional.
//
// Fields are text, numbers, flags, times, enums, lists of texts (field.Strings),
// UUIDs (field.UUID with uuid.UUID{} of github.com/google/uuid), bytes, which
// both APIs show in base64, and JSON: of a map, a struct, a list, or of any
// form (json.RawMessage). Listings filter and sort by all but bytes and JSON.
//
// Mistakes fail the generation, all at once, each with its file and line, the
// field and what is allowed, and nothing is changed. Rules are held against
// the columns that they name and their types, defaults against the validators
// of their fields, paths against each other, also below parents; SQLite and,
// where PostgreSQL can be started, PostgreSQL read all SQL that schemas say; and
// what is made of all that is type-checked before it takes its place.
//
// entwine seed makes rows of it, from its fields, bounds, enums, references,
// unique indexes and checks, where a generated operation creates them or none is
// there at all. Values that make them more like real ones can be added to
// internal/seed/hints.go.
//
// # Mixins
//
// They are the kit's (package tables), as are the tables in kit.go.
//
//	Record      id and created_at, for rows that never change
//	Base        Record and updated_at
//	Listed      the index of the order that listings have by default: the newest first
//	Versioned   version, which moves with what clients change: ETag, If-Match, expectedVersion
//	SoftDelete  deleted_at: a delete hides the row until it is restored or removed
//
// # Where an entity is shown
//
// An entity without an [expose.Resource] is internal: no API shows it.
//
//	Path        its REST path; GraphQL's names follow it: "suppliers", "cart/items"
//	Operations  what is generated: expose.CRUD, expose.ReadOnly, expose.Except, or a list of
//	            List, Create, Read, Replace, Patch and Delete; none, and it is reached over edges only
//	ByHand      operations that rest/*.yaml and gql/*.graphql have instead
//	Sort        the default order, such as "-created_at"
//	Limit       the default size of a page, 20 if 0
//	Under       the edge to the one parent it is shown below: /users/{id}/profile
//	Key         the unique text that stands for the id in paths and filters: /categories/{name}
//	Names       REST names of fields that come from mixins
//	Public      the fields that anonymous callers see; all if empty
//	Cache       the Cache-Control of reads
//	Derived     fields that follow from the row and from others, by SQL: see expose.Derived;
//	            expose.ViewerHas what the caller has done to the row, expose.Rendered a text as HTML
//	Calcs       values that the database computes with arguments of the caller, which listings filter and
//	            sort by: see expose.Calc and doc/schema/calc.md
//	Search      the fields that full-text search looks in, those that weigh most first
//	Queries     queries of GraphQL beside the one by id and the connection: see expose.Query
//	Events      topics that the database announces with each write, the subscriptions of GraphQL
//	            that they feed, and the jobs that handle them: see expose.Topic, expose.Subscription
//	Live        clients follow lists of the rows, which stay true by themselves: see doc/clients/live.md
//	Presence    who looks at a row, and what they say of themselves (expose.PresenceOf): see doc/schema/presence.md
//	Changes     programs follow what becomes of the rows: GET /changes, see doc/api/changes.md
//	Checks      rules over fields together, which the database keeps and whose refusal names them: see expose.Check
//	            and doc/schema/checks.md
//	Actions     what can be done to rows beside that: see below
//	Links       reads that are offered among the actions: an order's invoice
//	ShowActions lists show each row's actions too, which else are shown with a single row
//	Marks       what users do to rows and take back: like, follow
//	Upsert      a create finds the row that is there, by a unique index
//	Bulk        operations on many rows at once: POST /users/bulk
//	Beside      input of creates and updates that is no field: a new user's password
//	Deprecated  when operations end, by expose.Deprecated; an action has it itself
//
// The description of the service as a whole is an [expose.Service] (service.go):
// its name and version, and which paths of REST are on credentials: those of
// accounts ([expose.AccountCredentials]) where it says nothing.
//
// # What is said of a field
//
// Every field is shown unless it is Sensitive or [expose.Internal].
//
//	expose.By(expose.Filter)       listings filter by it: price=5, price[gte]=5, price[in]=5,6; where: {priceGTE: 5}
//	expose.By(expose.Sort)         listings sort by it: sort=-price
//	expose.By(expose.Search)       search= finds parts of it, whatever the case: by an index where the entity has a Search
//	expose.Selective()             it has an index in the order of listings: a filter by it costs what it returns, and a
//	                               count reads the index alone
//	expose.Href()                  its text is a path of REST v1, which every version shows below its own
//	expose.Scanned()               filters and sorts by it may read the whole table, of which weave generate warns else
//	expose.Bounds("min", "max")    range filters have names of their own: min=5&max=6
//	expose.Named("inStock")        its name in REST v1, where that is not the field's
//	expose.Also("is_active")       a second name in GraphQL, for clients that know it by that
//	expose.AlsoSent("author")      a second name in the bodies of new rows in REST
//	expose.Computed()              only the service sets it
//	expose.Unversioned()           only the service sets it, without a new version of the row
//	expose.Initial()               clients set it at creation, actions change it
//	expose.Kept()                  PUT leaves it alone
//	expose.Caller(roles...)        it is the user who creates the row; users with a role may name another
//	expose.WritableBy(roles...)    only these roles set it; others are refused
//	expose.VisibleTo(roles...)     only these roles see it, in listings, filters, orders and events too
//	expose.Secret()                clients set it and never see it
//	expose.Money("currency")       minor units, shown as a decimal number of the currency in that field: listings
//	                               filter and sort by that number, whatever the currency has for a minor unit, and
//	                               an index that begins with it is one of that number
//	expose.Size(4096)              the most bytes of a field of bytes or JSON: 65,536 without it
//	expose.UniqueFold()            no two rows have the same text, whatever the case
//	expose.Example(v)              shown in the OpenAPI document
//	expose.Deprecated(since, sunset, instead)
//	                               both documents, headers and warnings say so; after its sunset it is shown no more and
//	                               refused where it is named. It is for entities and operations, too
//
// Bounds wrap the field, because they are validators too; a value beyond them
// is 422:
//
//	expose.Length(f, 1, 200)       characters of a text
//	expose.Line(f)                 a text of one line: no control characters, nothing that overrides its direction, not blank
//	expose.Range(f, 1, 5)          a number, ends included
//	expose.AtLeast(f, 0)           a number, from below
//	expose.Items(f, 20, 50)        a list of texts of one line: how many, and how long each
//	expose.Pattern(f, re, says)    a regular expression, and what "must be …" it means
//	expose.Email(f), expose.URL(f), expose.Slug(f), expose.Currency(f), expose.Password(f)
//	expose.File(f, expose.Image, expose.MaxSize(5<<20))
//	                               the address of a file that was uploaded for the field: expose.Types("application/pdf")
//	                               names other media types, and expose.Elsewhere takes addresses of other servers, too;
//	                               pictures are stored without metadata, have up to expose.MaxPixels(n),
//	                               and expose.Variants(expose.Variant{Name: "small", Width: 96, Height: 96, Fit: expose.Cover})
//	                               has them smaller; expose.Inside has all of a picture; with expose.Measured rows show
//	                               how large pictures are, and their BlurHash.
//	                               With expose.Issued the service makes the files, and no one uploads any
//	                               (doc/schema/files.md)
//
// The database maintains these by itself, for writes by either API and by Go code:
//
//	expose.CountOf("likes", "")                     rows at the other end of an edge to many, all of them
//	expose.CountOf("posts", "NEW.published")        those for which the condition holds
//	expose.CountOf("posts", "").Where(rule)         those for which a rule over their columns does: the rules of policies
//	expose.CountOf("likes", "").While("user_id")    those whose user is not deleted; an edge through a table needs no While
//	expose.SumOf("refunds", "amount", "NEW.status <> 'failed'")
//	expose.MeanOf("rating_sum", "reviews_count")    the quotient of two such fields
//	expose.ForgetWith("user_id", "")                replaces a text once the foreign key becomes null
//	expose.StampWhen("user_id", "NOT NEW.is_active")
//	                                                sets a time once the condition comes to hold for the row of the foreign key
//
// and what the row says of itself, in every write through Ent and the engine:
//
//	expose.Since("published")      a time: since when the flag is true, null while it is not
//	expose.Positive("stock")       a flag: whether the number is above zero, where a write names that
//
// The changes of existing rows when the schema changes
// (doc/operations/migrations.md):
//
//	expose.Was("audited_at")       what the field, the edge or the entity was called: its values stay
//	expose.ValueWas("new", "old")  the rows that have the old value of the enum get the new one
//	expose.Backfill("'en'")        the value, by an SQL expression, of a field that is new or comes to be required; of
//	                               an edge it is the id that each row links to
//	.Inverse("price", "mills / 10")
//	                               after it, the value of a column that programs from before go on reading
//
// # What is said of an edge
//
// An edge to an exposed entity is shown: REST expands it (expand=author), and
// GraphQL has it as a field, to many as a list and as a connection. The end
// that owns the foreign key names it by Field; entsql.OnDelete at edge.To says
// what a removal does: Cascade, SetNull or Restrict.
//
//	expose.Hidden()                no API shows it
//	expose.Through()               who reads the row reads the one at the other end: the author of a public post; and
//	                               what is nested below it the other way is read by those who read the rows
//	expose.Nested(operations...)   a path of its own below the parent, for List, Read and Create: /users/{id}/posts; of an
//	                               edge of one to one for Create alone
//	expose.FilterEdge()            GraphQL filters by what is at the other end: hasAuthorWith; over an edge to many, REST
//	                               by which rows these are: labels=1,2
//	expose.Attached()              clients say what an edge of many to many leads to, who may update the row: PUT and DELETE
//	                               on /products/{id}/labels/{label_id}, label_ids in REST, labelIds, addLabelIds and
//	                               removeLabelIds in GraphQL
//	expose.Within("org_id")        its ends share a parent, which the column names at both: the databases refuse others
//	policy.Attach(rule)            which rows at the other end callers may link and unlink, who may write the row: without it
//	                               these are the ones that they may update (see below)
//	expose.Tree(6)                 of an edge between rows of one entity: no row is below itself, there are six levels at
//	                               most, and both APIs have ancestors and descendants (doc/schema/trees.md)
//	expose.DeletedWith()           a soft delete takes the rows at the other end along, a restore brings exactly them back:
//	                               the policy of these says With (doc/schema/deletion.md)
//
// # Whose rows are
//
// An entity whose rows belong to tenants says so among its Annotations
// (doc/schema/tenants.md):
//
//	expose.Tenant("org_id")        callers, and Go code, reach the rows of their own tenant alone; what is unique is so
//	                               within one, and the databases refuse rows that refer to another tenant's
//	expose.Tenant("org_id").OfUsers()
//	                               of users: the column says whose a caller is
//	expose.Tenant("org_id").Across(roles...)
//	                               these roles reach the rows of every tenant
//	expose.Tenant("id")            of the entity of tenants
//
// # Who may do what
//
// Policy returns [policy.Rules]: Read says which rows a viewer can read, Verbs
// who may do what to which of these; no caller may do a verb without a rule. The
// rules become SQL, so they hold in listings, counts, filters over edges,
// searches, events and in the WHERE of every write, in both APIs and in
// workers. The verbs of rows as such stand in package policy: Create, Update,
// Delete, for soft deletes Remove, Restore and ReadDeleted, and ReadWhole for the
// fields that are not Public. Others are those of
// the entity's actions, by their names: "publish". A Policy of a mixin returns
// policy.Rules, too: those of all mixins and of the schema itself have to admit. A Policy
// that returns anything else, and Interceptors hold in Ent's client alone and are refused
// where the APIs show the entity.
//
//	policy.Anyone(), policy.Nobody()
//	policy.SignedIn()                         users
//	policy.Authenticated()                    users and API keys
//	policy.Roles(editor, viewer.Admin)        users with one of the roles
//	policy.Key(viewer.Write)                  API keys with the permission
//	policy.Owner("author_id")                 the user whose id is in the column
//	policy.KeyOwner("key_id")                 the API key whose id is in the column
//	policy.Is("published", true)              rows by a text, a number or a flag
//	policy.In("status", "paid", "refunded")   rows by one of several texts or numbers
//	policy.Less("amount_refunded", "amount")  rows by two of their columns: numbers, or times
//	policy.Null("archived_at")                rows by the absence of a value
//	policy.Related("post_id", "posts", rule)  rows whose foreign key leads to a row that the rule admits
//	policy.Through("post_id", "posts", Post{})  the same of a row that the viewer can read by its own rules
//	policy.Having("product_id", "order_items", "product_id", rule)
//	                                          rows for which another table has a row that the rule admits
//	policy.Another("users", rule)             rows beside which their table has another that the rule admits
//	policy.Any(…), policy.All(…), policy.Not(…)
//
// To link two rows is to write both: a caller who sets category_id, label_ids or
// another input that names rows has to read the rows that it names, and to be one
// who may update them. The same goes for rows that are not linked any more. Where
// that is too much, the edge says which rows may be linked by whom:
//
//	edge.From("post", Post.Type).Ref("comments").Field("post_id").Unique().Required().Immutable().
//		Annotations(policy.Attach(policy.Anyone()))
//
// has readers of a post comment on it. The rule is one over the rows at the other
// end; rows that the caller can't read are as absent ones. A field with
// [expose.Caller] takes the caller's own id in any case. It holds in both APIs, and
// in Ent's client, where a policy judges what it writes.
//
// Rules that several entities share have names in rule.go: admin, moderators,
// merchants, known, alive.
//
// # What can be done to a row
//
// Everything that is not reading, changing or deleting is an action, which is
// declared here once: [expose.Action]. Both APIs have it, with If-Match and
// expectedVersion, Idempotency-Key and idempotencyKey, and so have both
// documents, the actions that a row shows, and the refusal for a call in the
// wrong state. Of an invoice that can be sent and reminded of:
//
//	Actions: []expose.Action{
//		{Verb: "send", Done: "sent", Comment: "Sends the invoice to the customer.", Run: expose.InTx,
//			Input: []ent.Field{
//				expose.Line(expose.Length(field.String("greeting"), 0, 200)).Optional().Comment("The greeting at its beginning."),
//			}},
//		{Verb: "remind", Done: "reminded of", Comment: "Reminds the customer of an invoice that is not paid.",
//			When: policy.Null("paid_at"), Else: "the invoice is paid",
//			Set:  expose.Set{"reminded_at": expose.Now, "reminded_by": expose.ViewerID}},
//	},
//
// Its policy says who may, under the verb: policy.Verbs{"send": admin}. When is
// a rule over the row, part of the WHERE of the change. Shown leaves rows out
// that would show the action although a hook refuses it, or it changes nothing.
// Set gives columns
// constants, nil for null, expose.Now, expose.FirstNow where they are null,
// expose.ViewerID, or what the input names, by expose.Input("greeting"). Run asks
// for a method, in the transaction of the request (expose.InTx) or outside of
// any (expose.OutsideTx): the generated package internal/rows has the interface,
// and the service does not compile until an activity has the method. Errors
// lists the kinds of problems to expect, Answer what else than the row is
// answered with, of which expose.MembersOf describes a struct; Scope that it is
// not about one row; Names what the APIs call it, if that does not follow from
// the verb.
//
// An action whose Names.Method is "GET" is a read: it runs outside of any
// transaction (expose.OutsideTx), its input is the query in REST and arguments of a
// root query in GraphQL, and it answers with a struct: of the members of
// expose.AnswerOf(example), which REST has in data and GraphQL as a type of the
// struct's name, or those of expose.MembersOf. Structs and slices of them nest,
// pointers can be null, and money.Amount is an amount. With the name "-" in GraphQL
// it is in REST alone. Charts say which lists of the answer are drawn, and along what:
// the console has a page for such a read ([expose.Chart]).
//
// Input has the words of fields: their bounds, defaults, expose.Money, whose
// currency is the input's or the row's, expose.Secret, expose.Example, and
//
//	expose.Refers("Product")       the id of a row that the caller can read
//	expose.Enum("ReportType", …)   the name of an enum in GraphQL, and what its values stand for
//	expose.Moment()                a time, or a day: its beginning
//	expose.EndMoment()             a time, or a day: its end
//	expose.ObjectList(name, of, fields...)
//	                               a list of objects with fields of their own
//
// A state is an enum field that says how it moves. Other moves are refused:
//
//	field.Enum("status").Values("draft", "sent", "paid").Default("draft").
//		Annotations(expose.Computed(), expose.States(
//			expose.On("send").From("draft", "sent").To("sent"),
//			expose.On("capture").From("sent").To("paid").BySystem()))
//
// Actions by the verbs of moves are possible in the states from which they
// lead; one without Run sets the state that its verb leads to. expose.Busy("…")
// names states in which something is under way: refusals in them say to try
// again.
//
// A mark ([expose.Mark]) is what a user does to a row once, and takes back: the
// row of another entity. An upsert ([expose.Upsert]) names the unique index by
// which a create finds the row that is there.
//
// # What holds for every write
//
// Hooks returns what holds for every write, of workers too. policy.KeepOne(table, rule, message)
// refuses the write that would take the last row of which the rule is true:
// the last active admin. policy.KeepOnePer(table, column, rule, message) does so for
// each value of a column: the last owner of each organisation.
//
// # A complete example
//
// supplier.go, with a field of every kind:
//
//	package schema
//
//	import (
//		"entgo.io/ent"
//		"entgo.io/ent/dialect/entsql"
//		"entgo.io/ent/schema"
//		"entgo.io/ent/schema/edge"
//		"entgo.io/ent/schema/field"
//
//		"github.com/entwine-go/entwine/kit/expose"
//		"github.com/entwine-go/entwine/kit/policy"
//		"github.com/entwine-go/entwine/kit/viewer"
//	)
//
//	// Supplier is a company that products come from.
//	type Supplier struct{ ent.Schema }
//
//	// Fields of the Supplier.
//	func (Supplier) Fields() []ent.Field {
//		return []ent.Field{
//			expose.Line(expose.Length(field.String("name"), 1, 200)).
//				Comment("The name.").
//				Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.UniqueFold(), expose.Example("Difference Engines Ltd")),
//			field.Enum("grade").Values("trial", "regular", "preferred").Default("trial").
//				Comment("How much is bought from the supplier. Only an admin can change it.").
//				Annotations(expose.By(expose.Filter, expose.Sort), expose.WritableBy(viewer.Admin)),
//			expose.Items(field.Strings("countries"), 50, 2).Default([]string{}).
//				Comment("The ISO 3166 codes of the countries that the supplier delivers to.").
//				Annotations(expose.By(expose.Filter), expose.Example([]string{"GB", "FR"})),
//			expose.AtLeast(field.Int64("credit"), 0).Optional().Nillable().
//				Comment("The highest amount that may be owed to the supplier. Only admins see it.").
//				Annotations(expose.Money("currency"), expose.VisibleTo(viewer.Admin), expose.WritableBy(viewer.Admin), expose.Example(2500.00)),
//			expose.Currency(field.String("currency")).Default("GBP").
//				Comment("The ISO 4217 code of the currency of all amounts."),
//			field.Time("audited_at").Optional().Nillable().
//				Comment("When the books were last looked at, null if never.").
//				Annotations(expose.By(expose.Filter, expose.Sort)),
//		}
//	}
//
//	// Mixin of the Supplier.
//	func (Supplier) Mixin() []ent.Mixin {
//		return []ent.Mixin{Base{}, Listed{}, Versioned{}, SoftDelete{}}
//	}
//
//	// Edges of the Supplier.
//	func (Supplier) Edges() []ent.Edge {
//		return []ent.Edge{
//			edge.To("contact", User.Type).Field("contact_id").Unique().Required().
//				Comment("The user who speaks for the supplier.").
//				Annotations(entsql.OnDelete(entsql.Cascade), expose.By(expose.Filter), expose.Caller(viewer.Admin), expose.Through(), expose.FilterEdge()),
//			edge.To("products", Product.Type).
//				Comment("The products of the supplier.").
//				Annotations(entsql.OnDelete(entsql.SetNull)),
//		}
//	}
//
//	// Policy of the Supplier.
//	func (Supplier) Policy() ent.Policy {
//		return policy.Rules{
//			SoftDelete: true,
//			Read:       known,
//			Verbs: policy.Verbs{
//				policy.Create:      policy.Any(policy.Owner("contact_id"), admin),
//				policy.Update:      policy.Any(policy.Owner("contact_id"), admin),
//				policy.Delete:      admin,
//				policy.Remove:      admin,
//				policy.Restore:     admin,
//				policy.ReadDeleted: admin,
//			},
//		}
//	}
//
//	// Annotations of the Supplier.
//	func (Supplier) Annotations() []schema.Annotation {
//		return []schema.Annotation{
//			entsql.Checks(map[string]string{"suppliers_credit": "credit >= 0"}),
//			schema.Comment("A company that products come from."),
//			expose.Resource{
//				Path:       "suppliers",
//				Operations: expose.CRUD(),
//				Events: []expose.Topic{{
//					Name: "supplier.graded", On: "update", When: "NEW.grade <> OLD.grade", Payload: []string{"grade"},
//					Feeds: &expose.Subscription{
//						Name: "supplierGraded", Argument: "id", Present: true, Final: expose.At("grade", "preferred"),
//						Comment: "The current supplier, and then each time that it is graded. The stream ends when it is preferred.",
//					},
//				}},
//			},
//		}
//	}
package schema
