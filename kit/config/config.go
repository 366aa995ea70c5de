// Package config holds the settings of a process: typed, checked when it
// starts, and from then on read only.
//
// A setting comes from a flag (--addr), else from the environment
// (ENTWINE_ADDR), else from a file of NAME=value lines (ENTWINE_CONFIG), else
// from its default. The table in settings.go is the only place that names a
// setting: flags, help and parsing follow from it. With nothing set, entwine
// is one process over a SQLite file in ./data.
package config

import (
	"cmp"
	"log/slog"
	"net/netip"
	"time"

	"github.com/entwine-go/entwine/kit/lifecycle"
)

// Env says how careful the process is.
type Env string

// The environments.
const (
	Development Env = "development"
	Production  Env = "production"
)

// Verification says whether users are asked to verify their e-mail address.
type Verification string

// The ways.
const (
	VerificationOff      Verification = "off"
	VerificationOptional Verification = "optional"
	VerificationRequired Verification = "required"
)

// Sandbox is the payment gateway that moves no money.
const Sandbox = "sandbox"

// The files in the data directory that keys are kept in, one on each line,
// where the settings have none.
const (
	TokenKeyFile  = "token-keys"
	SecretKeyFile = "secret-keys"
)

// Config is every setting. [Load] makes one in which each value is sound.
type Config struct {
	Env     Env
	DataDir string
	// FilesDir is where files of fields are stored.
	FilesDir string
	// FilesURL is the object store of files, empty for FilesDir, and FilesFrom where they
	// are moved from, empty if nowhere.
	FilesURL, FilesFrom string
	// FilesOrigin is where links to files lead to: an origin that has nothing else.
	FilesOrigin string
	// FilesQuota and FilesTenantQuota are how many bytes of files a user or an API key, and a
	// tenant, may have stored: 0 for no bound. FilesScanner is the URL of the scanner of files,
	// empty for none.
	FilesQuota, FilesTenantQuota int64
	FilesScanner                 string
	// FilesImgproxy is the address of the imgproxy that makes variants of pictures, empty for none.
	FilesImgproxy string

	Addr           string
	MetricsAddr    string // empty: metrics are not served
	WorkerAddr     string // empty: a worker does not say how it is
	PublicURL      string // without a trailing slash; empty where it is not known
	TrustedProxies []netip.Prefix
	Origins        []string // whose pages may call the APIs
	SharedHeaders  []string // that these pages may send beside the usual ones
	Worker         bool
	// FastPaths is false where the libraries do all of their work themselves:
	// doc/adr/0016-below-the-drivers.md.
	FastPaths bool
	Console   bool // serve has the console
	// Explain is how many requests of a hundred are kept, so that the console explains
	// them.
	Explain int

	Record Record
	// Rehearsal is set over a copy of a database, on which a migration is tried: jobs
	// and mails are accepted and not done.
	Rehearsal bool

	Database Database
	RedisURL string // empty: everything Redis would do happens in this process

	Log     Log
	Account Account
	OIDC    OIDC
	JWT     JWT
	Mail    Mail
	GraphQL GraphQL
	Limit   Limit
	API     API
	// KeyRequired are operations of REST that need an Idempotency-Key, and Keys
	// bounds what is kept for requests that have one.
	KeyRequired []string
	Keys        Keys
	// Settle is how long after a payment has begun without an end it is found
	// out what became of it.
	Settle time.Duration
	// PaymentGateway takes the money: [Sandbox], or empty in production, which
	// is refused.
	PaymentGateway string
	// PaymentWebhookSecret signs what the payment gateway sends; empty where
	// it sends nothing.
	PaymentWebhookSecret string
	// Seller is the seller on invoices.
	Seller Seller
	// Lifecycle has the dates of versions of REST, and of deprecated operations and
	// fields.
	Lifecycle lifecycle.Plan

	// Unknown are the ENTWINE_ variables of the environment that name no
	// setting, each with what it may have meant: worth a warning.
	Unknown []string
	// Warnings describe settings that are unsafe in production.
	Warnings []string

	program Program
	files   []secretFile      // that settings were read from
	origins map[string]origin // of the settings, by their names
}

// Database says where the data is.
type Database struct {
	URL string // postgres://… or sqlite://…, never empty
	// DirectURL is the server's own address where URL is a pooler's. It may be empty.
	DirectURL string
	// Replicas are the addresses of standbys that answer reads.
	Replicas []string
	Conns    int // 0: as many as the store thinks right
	Share    int // of the connections, that one caller may have, in percent
	// Migrate says whether serve may apply migrations.
	Migrate bool
	// Wait is how long a command waits for a server that does not answer yet.
	Wait time.Duration
	// MostRead bounds what a list that no index serves is expected to read: see
	// store.Config.
	MostRead int
	// MigrateLockTimeout is how long a statement of a migration waits at a time
	// for a lock that stops others, MigrateLockWait how long it is tried again.
	MigrateLockTimeout, MigrateLockWait time.Duration
}

// Server is the address of the database itself, past a pooler.
func (d Database) Server() string { return cmp.Or(d.DirectURL, d.URL) }

// Record says where requests are recorded.
type Record struct {
	// File is where to, empty where nothing is, and Until when that ends.
	File  string
	Until time.Time
	// Production says that it is meant there.
	Production bool
}

// Log configures the log.
type Log struct {
	Level slog.Level
	JSON  bool
	// Requests is how many of a hundred requests get a line.
	Requests int
}

// Account holds what signing in depends on.
type Account struct {
	AdminEmail    string // the first admin, made where there is no user yet
	AdminPassword string // empty: a random one
	TokenKeys     []string
	SecretKeys    []string
	AccessTime    time.Duration
	Registrations Rate // of a network
	Verification  Verification
	EmailPassword bool // users show their password to change their address
	BcryptCost    int
}

// OIDC is the identity provider that people can sign in through. Without an
// issuer there is none.
type OIDC struct {
	Issuer       string
	ClientID     string
	ClientSecret string
	RedirectURL  string   // where the provider sends browsers back to, empty for the callback below PublicURL
	FrontEnds    []string // where they go from there, to the letter
	ByCode       bool     // with a one-time code in place of a token
}

// JWT is another issuer whose access tokens are taken. Without an issuer there is
// none.
type JWT struct {
	Issuer     string
	KeysURL    string // of its JWK Set
	Audience   string
	Algorithms []string
	RoleClaim  string
	Roles      []string // those that count, the first of them first
	UserClaim  string
	// TenantClaim has the caller's tenant, where users have none.
	TenantClaim string
}

// Mail says how mail is sent. Without a URL it goes into the database's mailbox.
type Mail struct {
	URL      string // smtp://… or smtps://…
	From     string
	ResetURL string // the page that takes a reset token
	// The pages that take tokens to verify an address and to take one back.
	VerifyURL, TakeBackURL string
}

// GraphQL configures introspection, and the documents that GraphQL runs.
type GraphQL struct {
	Introspection bool // with suggestions in errors, and GraphiQL
	TrustedOnly   bool // no documents but those that the command documents add has added
}

// Explorer reports whether there is a page to explore GraphQL with: not where
// the schema is hidden, nor where nothing can be run that is typed into it.
func (g GraphQL) Explorer() bool { return g.Introspection && !g.TrustedOnly }

// Limit bounds what one request, and one caller, can take.
type Limit struct {
	Rate        Rate
	WebhookRate Rate // of what a provider sends from one address
	Body        int64
	AuthBody    int64
	BulkBody    int64
	BodyTime    time.Duration // for a request's body to arrive
	RequestTime time.Duration // for a request to be answered
	Connections int           // that stay open, of one caller
	InFlight    int           // requests at a time at most; 0: no cap
	StallTime   time.Duration // for which a client may take nothing of an answer
	Stalled     int           // connections of an address that take nothing; 0: no bound
	Drain       time.Duration // in which a process that ends still accepts connections
	Shutdown    time.Duration // for running requests to end when the process does
}

// Keys bounds what is kept for the requests with an Idempotency-Key of one
// caller, and of one of them.
type Keys struct {
	Records int
	Bytes   int64
	Body    int64
}

// Rate is a number of requests in a window of time. The zero value is no limit.
type Rate struct {
	Count     int
	Window    time.Duration
	Algorithm string // fixed, sliding or bucket
}

// Off reports whether there is no limit.
func (r Rate) Off() bool { return r.Count == 0 }

// Seller is the seller on invoices. Invoices leave out empty fields.
type Seller struct{ Name, Address, TaxID, Email string }

// API are the versions of REST that are offered, each with its conventions
// ("v2=jsend"), and the one of requests that name none. Empty fields follow from the
// schema.
type API struct {
	Versions []string
	Default  string
}
