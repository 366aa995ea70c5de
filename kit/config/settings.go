package config

import "path/filepath"

// payments is the group of the settings of programs that take payments.
const payments = "Payments and invoices"

// table lists every setting, in the order of the help, bound to c.
func table(c *Config) []setting {
	return []setting{
		{group: "How it runs"},
		{
			name: "ENTWINE_ENV", value: "development|production", initial: string(Development), set: choice(&c.Env, Development, Production),
			help: "In production, logs are JSON, and settings that are only good for trying things out are refused or warned of.",
		},
		{
			name: "ENTWINE_CONFIG", value: "FILE", set: ignore,
			help: "A file of NAME=value lines with the names below. Flags and the environment go first.",
		},
		{
			name: "ENTWINE_DATA_DIR", value: "DIR", initial: "./data", set: text(&c.DataDir),
			help: "Where the SQLite database and the keys that sign tokens are kept. It is made when it is absent.",
		},
		{
			name: "ENTWINE_FILES_DIR", value: "DIR", set: text(&c.FilesDir),
			follows: func() string { return filepath.Join(c.DataDir, "files") },
			help:    "Where files are stored that were uploaded for fields: one folder for all processes of the service. Default: the folder files in ENTWINE_DATA_DIR. It is made when the first file is stored. With ENTWINE_FILES_URL it has files that are on their way alone, and each process may have its own.",
		},
		{
			name: "ENTWINE_FILES_URL", value: "URL", secret: true, address: true, set: text(&c.FilesURL),
			help: "The object store in which files are stored in place of ENTWINE_FILES_DIR: s3://bucket/folder?endpoint=https://HOST&region=REGION, in a program that imports the package kit/files/s3. Credentials are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or wherever the tools of AWS look for them, or in the address: s3://KEY:SECRET@bucket.",
		},
		{
			name: "ENTWINE_FILES_FROM", value: "URL", secret: true, address: true, set: text(&c.FilesFrom),
			help: "Where files are moved from by $0 files move: the address of an object store, or the path of a folder. While it is set, files are read from there that are not where new ones are stored.",
		},
		{
			name: "ENTWINE_FILES_ORIGIN", value: "URL", set: website(&c.FilesOrigin),
			help: "An origin of its own for files, as in https://files.example.com: links to files lead to it, and it answers nothing else, and no request with credentials. Another name of this service, which proxies pass on. Without it files are at the address of the API alone.",
		},
		{
			name: "ENTWINE_FILES_QUOTA", value: "SIZE", set: size(&c.FilesQuota),
			help: "How many bytes of files one user or API key may have stored, as in 500MiB or 2GiB, with uploads that are not complete. Without it there is no bound.",
		},
		{
			name: "ENTWINE_FILES_TENANT_QUOTA", value: "SIZE", set: size(&c.FilesTenantQuota),
			help: "How many bytes of files all users and API keys of one tenant may have stored. Without it there is no bound.",
		},
		{
			name: "ENTWINE_FILES_SCANNER", value: "URL", secret: true, address: true, set: text(&c.FilesScanner),
			help: "What judges files before they are served: clamd://HOST:PORT or clamd:///PATH/TO/SOCKET, a daemon of ClamAV, whose StreamMaxLength must allow the largest file. Without it files are served as they are uploaded.",
		},
		{
			name: "ENTWINE_FILES_IMGPROXY", value: "URL", secret: true, address: true, set: text(&c.FilesImgproxy),
			help: "An imgproxy that makes variants of pictures, in place of this process: http://KEY:SALT@HOST:PORT?source=local:///. KEY and SALT are its IMGPROXY_KEY and IMGPROXY_SALT, and source is where the addresses begin by which it reads files: local:/// for the folder of files, s3://bucket/folder/ for the object store. Where it fails this process makes them.",
		},
		{
			name: "ENTWINE_WORKER", value: "true|false", initial: "true", set: yesNo(&c.Worker),
			help: "Whether serve also does background work. With false, run $0 worker beside it.",
		},
		{
			name: "ENTWINE_CONSOLE", value: "on|off", initial: "on", set: onOff(&c.Console),
			help: "Whether serve has the console at /console: pages in which those who sign in look at rows and change what the APIs let them.",
		},
		{
			name: "ENTWINE_EXPLAIN", value: "PERCENT", set: number(&c.Explain, 0, 100),
			follows: func() string { return c.in("0", "100") },
			help:    "How many of a hundred requests, chosen at random, serve keeps in memory for a day, at most 1,000 and 16 MiB, so that the console explains them to admins: policies, statements without their arguments, plans, costs, jobs and mails. Default 100, and 0 in production.",
		},
		{
			name: "ENTWINE_FAST_PATHS", value: "true|false", initial: "true", set: yesNo(&c.FastPaths),
			help: "Whether the process does in place of its libraries what it does faster: it reads rows and watches connections below them, and collects garbage more rarely. With false it costs more and behaves the same: try it where you suspect one of that.",
		},
		{
			name: "ENTWINE_RECORD", value: "FILE", set: text(&c.Record.File),
			help: "A file to which serve writes the requests that it answers, so that weave migrate try asks them again of a copy of the database: no credentials, and stand-ins for texts and for values that are not shown to all. A file that is there goes on. Without it nothing is recorded.",
		},
		{
			name: "ENTWINE_RECORD_UNTIL", value: "TIME", set: moment(&c.Record.Until),
			help: "When that ends, as in 2026-11-27T18:00:00Z: needed with ENTWINE_RECORD, at most 7 days ahead. A process that starts later records nothing.",
		},
		{
			name: "ENTWINE_RECORD_PRODUCTION", value: "true|false", initial: "false", set: yesNo(&c.Record.Production),
			help: "Whether ENTWINE_RECORD is meant in production, where it is refused without.",
		},
		{
			name: "ENTWINE_REHEARSAL", value: "true|false", initial: "false", set: yesNo(&c.Rehearsal),
			help: "Whether the database is a copy on which a migration is tried: no background work is done, here or elsewhere, so that no mail and no webhook leaves. weave migrate try sets it. It is refused in production.",
		},
		{
			name: "ENTWINE_LOG_LEVEL", value: "debug|info|warn|error", initial: "info", set: level(&c.Log.Level),
			help: "The least important message that is logged.",
		},
		{
			name: "ENTWINE_LOG_FORMAT", value: "text|json", set: format(&c.Log.JSON),
			follows: func() string { return c.in("json", "text") },
			help:    "How it is logged. Default text, and json in production.",
		},
		{
			name: "ENTWINE_LOG_REQUESTS", value: "PERCENT", initial: "100", set: number(&c.Log.Requests, 0, 100),
			help: "How many of a hundred requests get a line in the log, chosen at random. Those that are answered with 500 or more always do, and metrics count all.",
		},

		{group: "Where it listens"},
		{
			name: "ENTWINE_ADDR", value: "[HOST]:PORT", initial: ":8080", set: address(&c.Addr),
			help: "Where HTTP is served. Port 0 takes a free one and prints it.",
		},
		{
			name: "ENTWINE_METRICS_ADDR", value: "[HOST]:PORT", set: address(&c.MetricsAddr),
			help: "Where Prometheus reads /metrics, as in 127.0.0.1:9090: an address that the public does not reach. Without it nothing is counted.",
		},
		{
			name: "ENTWINE_WORKER_ADDR", value: "[HOST]:PORT", set: address(&c.WorkerAddr),
			help: "Where $0 worker answers /healthz and /readyz, as in :8081. Without it a worker opens no port for that.",
		},
		{
			name: "ENTWINE_PUBLIC_URL", value: "URL", set: website(&c.PublicURL),
			help: "The address that clients use, as in https://api.example.com. Tokens are issued in its name.",
		},
		{
			name: "ENTWINE_CORS_ORIGINS", value: "ORIGIN,…", set: origins(&c.Origins),
			help: "Whose pages may call both APIs from a browser and read the answers, with cookies, as in https://app.example.com. Those of ENTWINE_FRONTEND_URL may, too, and in development those of localhost and 127.0.0.1 on any port.",
		},
		{
			name: "ENTWINE_CORS_HEADERS", value: "HEADER,…", set: headerNames(&c.SharedHeaders),
			help: "Headers that these pages may send beside those that the service reads and that clients of GraphQL and of tracing send, as in X-Client-Build.",
		},
		{
			name: "ENTWINE_TRUSTED_PROXIES", value: "NET,…", set: prefixes(&c.TrustedProxies),
			help: "Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed, as in 10.0.0.0/8.",
		},

		{group: "Where the data is"},
		{
			name: "ENTWINE_DATABASE_URL", value: "URL", secret: true, address: true, set: databaseURL(&c.Database.URL),
			follows: func() string { return sqliteURL(filepath.Join(c.DataDir, "entwine.db")) },
			help:    "postgres://user:password@host/name or sqlite:///path/file.db. Several hosts are written as libpq does: postgres://user@a:5432,b:5432/name?target_session_attrs=read-write. Default: entwine.db in the data directory.",
		},
		{
			name: "ENTWINE_DATABASE_DIRECT_URL", value: "URL", secret: true, address: true, set: serverURL(&c.Database.DirectURL),
			help: "The address of the PostgreSQL itself, for migrations and what else needs a session, where ENTWINE_DATABASE_URL is that of a PgBouncer in transaction mode.",
		},
		{
			name: "ENTWINE_DATABASE_REPLICAS", value: "URL …", secret: true, set: serverURLs(&c.Database.Replicas),
			help: "The addresses of PostgreSQL's standbys, separated by spaces, each of one server: postgres://user:password@b/name postgres://user:password@c/name. They answer reads; what a caller has written and read is in them, or the primary answers. The primary may be among them.",
		},
		{
			name: "ENTWINE_DATABASE_WAIT", value: "TIME", set: duration(&c.Database.Wait),
			help: "How long a command waits at its start for a PostgreSQL that does not answer yet, as when both start at once. Without it a command ends at once.",
		},
		{
			name: "ENTWINE_DATABASE_CONNS", value: "N", initial: "0", set: number(&c.Database.Conns, 0, 10_000),
			help: "How many connections to the database are open at most. 0 is 16 on PostgreSQL and one for each processor on SQLite.",
		},
		{
			name: "ENTWINE_DATABASE_SHARE", value: "PERCENT", initial: "50", set: number(&c.Database.Share, 1, 100),
			help: "How much of them one caller (a user, an API key or an anonymous network) may use at a time, at least one. Who asks for more waits up to 5s for their own, then gets 503. 100 is no bound.",
		},
		{
			name: "ENTWINE_MIGRATE", value: "true|false", initial: "true", set: yesNo(&c.Database.Migrate),
			help: "Whether commands apply pending migrations. With false they refuse to start where there are any.",
		},
		{
			name: "ENTWINE_MIGRATE_LOCK_TIMEOUT", value: "TIME", initial: "500ms", set: duration(&c.Database.MigrateLockTimeout),
			help: "How long a statement of a migration waits at a time for a lock that stops others on PostgreSQL: they queue behind it meanwhile. Then it gives way, and tries again later.",
		},
		{
			name: "ENTWINE_MIGRATE_LOCK_WAIT", value: "TIME", initial: "10m", set: duration(&c.Database.MigrateLockWait),
			help: "For how long it tries again before the migration fails. The log says who holds the lock.",
		},
		{
			name: "ENTWINE_REDIS_URL", value: "URL", secret: true, address: true, set: redisURL(&c.RedisURL),
			help: "redis://[user:password@]host:port/db (rediss:// over TLS), or redis+sentinel://[user:password@]host:port,host:port/primary/db, which several processes share. Without it, everything happens in this one.",
		},

		{group: "Sign-in"},
		{
			name: "ENTWINE_ADMIN_EMAIL", value: "EMAIL", initial: "admin@example.com", set: text(&c.Account.AdminEmail),
			help: "The first admin, made by serve where there is no user yet.",
		},
		{
			name: "ENTWINE_ADMIN_PASSWORD", value: "PASSWORD", secret: true, set: text(&c.Account.AdminPassword),
			help: "The first admin's password. Without it a random one is shown on a terminal, once, or kept in the file admin-password of the data directory.",
		},
		{
			name: "ENTWINE_TOKEN_KEYS", value: "KEY,…", secret: true, set: keys(&c.Account.TokenKeys),
			help: "The keys of access tokens, each from `openssl rand -base64 32`: the first signs, all verify. Without it they are made and kept in the data directory.",
		},
		{
			name: "ENTWINE_SECRET_KEYS", value: "KEY,…", secret: true, set: keys(&c.Account.SecretKeys),
			help: "The keys that second factors are encrypted with and refresh tokens made with, in the same form. A key that is dropped ends what was made with it.",
		},
		{
			name: "ENTWINE_ACCESS_TOKEN_TIME", value: "TIME", initial: "15m", set: duration(&c.Account.AccessTime),
			help: "How long an access token is good for.",
		},
		{
			name: "ENTWINE_REGISTRATION_LIMIT", value: "COUNT/TIME[/ALGORITHM]|off", initial: "20/1h", set: rate(&c.Account.Registrations),
			help: "How many people may register from a network (an IPv4 address, a /64 of IPv6) in a time; from a /48 ten times as many.",
		},
		{
			name: "ENTWINE_EMAIL_VERIFICATION", value: "off|optional|required", initial: string(VerificationOff),
			set:  choice(&c.Account.Verification, VerificationOff, VerificationOptional, VerificationRequired),
			help: "Whether users are asked by mail to verify their e-mail address; where it is required, they can't sign in before.",
		},
		{
			name: "ENTWINE_EMAIL_CHANGE", value: "open|password", initial: "open", set: emailChange(&c.Account.EmailPassword),
			help: "The proof that a change of the own e-mail address needs: to be signed in, or also the password. The old address gets a mail in both cases, and can take the change back for 72 hours.",
		},
		{
			name: "ENTWINE_BCRYPT_COST", value: "N", initial: "12", set: number(&c.Account.BcryptCost, 4, 20),
			help: "What hashing a password costs: each step doubles it. Below 10 only outside of production.",
		},

		{group: "Signing in elsewhere"},
		{
			name: "ENTWINE_FRONTEND_URL", value: "URL,…", set: frontEnds(&c.OIDC.FrontEnds),
			help: "The front end's addresses that browsers may be sent to after signing in, to the letter; the first is the default. Their origins may send cookies.",
		},
		{
			name: "ENTWINE_OIDC_ISSUER", value: "URL", set: provider(&c.OIDC.Issuer),
			help: "The OpenID Connect provider that people can sign in through, as in https://accounts.example.com.",
		},
		{
			name: "ENTWINE_OIDC_CLIENT_ID", value: "ID", set: text(&c.OIDC.ClientID),
			help: "What the provider calls this service.",
		},
		{
			name: "ENTWINE_OIDC_CLIENT_SECRET", value: "SECRET", secret: true, set: text(&c.OIDC.ClientSecret),
			help: "How this service proves that to the provider.",
		},
		{
			name: "ENTWINE_OIDC_REDIRECT_URL", value: "URL", set: website(&c.OIDC.RedirectURL),
			help: "Where the provider sends browsers back to: the public address, the path of a version of REST, and /auth/idp/callback. Without it that version is v1, or the default where v1 is not offered.",
		},
		{
			name: "ENTWINE_OIDC_HANDOFF", value: "token|code", initial: "token", set: handoff(&c.OIDC.ByCode),
			help: "What the front end gets: a token, or a code that it exchanges for one at /auth/idp/exchange and that is good for nothing in a history or a log.",
		},

		{group: "Tokens of another issuer"},
		{
			name: "ENTWINE_JWT_ISSUER", value: "URL", set: provider(&c.JWT.Issuer),
			help: "The issuer of access tokens that are taken beside the service's own, if it has accounts: their claim iss, to the letter.",
		},
		{
			name: "ENTWINE_JWT_KEYS_URL", value: "URL", set: website(&c.JWT.KeysURL),
			help: "Where the issuer publishes the keys that it signs with, as a JWK Set.",
		},
		{
			name: "ENTWINE_JWT_AUDIENCE", value: "NAME", set: text(&c.JWT.Audience),
			help: "What tokens for this service have in their claim aud.",
		},
		{
			name: "ENTWINE_JWT_ALGORITHMS", value: "ALGORITHM,…", initial: "RS256,ES256,EdDSA", set: algorithms(&c.JWT.Algorithms),
			help: "The algorithms that tokens may be signed with: RS, PS and ES with 256, 384 or 512, and EdDSA.",
		},
		{
			name: "ENTWINE_JWT_ROLE_CLAIM", value: "CLAIM", initial: "role", set: text(&c.JWT.RoleClaim),
			help: "The claim with the caller's role, or with a list, as in realm_access.roles. Where the service has accounts the user's role counts.",
		},
		{
			name: "ENTWINE_JWT_ROLES", value: "ROLE,…", set: words(&c.JWT.Roles),
			help: "The roles of the claim that count: the first of these that a token has is the caller's. Without it a claim with one role is.",
		},
		{
			name: "ENTWINE_JWT_USER_CLAIM", value: "CLAIM", set: text(&c.JWT.UserClaim),
			help: "The claim with the user's id. Without it, where the service has accounts the user is found by email, if email_verified is true; where it has none the id follows from iss and sub.",
		},
		{
			name: "ENTWINE_JWT_TENANT_CLAIM", value: "CLAIM", set: text(&c.JWT.TenantClaim),
			help: "The claim with the id of the tenant whose rows the caller reaches. Where users belong to tenants the user's counts.",
		},

		{group: "Versions of REST"},
		{
			name: "ENTWINE_API_VERSIONS", value: "VERSION=CONVENTIONS,…", set: words(&c.API.Versions),
			help: "The versions that are offered, each with its conventions: main (snake_case, integers as ids), jsend (camelCase, global ids, items by name) or flag (main, with success: true). Without it v1=main,v2=jsend, or of a schema with another version than 1 that one alone.",
		},
		{
			name: "ENTWINE_API_DEFAULT", value: "VERSION", set: text(&c.API.Default),
			help: "The version of a request to /api that names none, unless its API key is pinned to one. Without it v1, or the first of ENTWINE_API_VERSIONS where that is not among them.",
		},

		{
			name: "ENTWINE_API_LIFECYCLE", value: "VERSION KEY=VALUE …;…", set: lifecycles(&c.Lifecycle.Versions),
			help: "The planned life of versions of REST, as in v1 deprecated=2027-01-01 sunset=2027-07-01 successor=v2 guide=https://docs.example.com/v2. Other keys are stable, limit, slowing, steps and brownouts. Versions that are not named are active.",
		},
		{
			name: "ENTWINE_API_BROWNOUTS", value: "TIME/LENGTH,…", set: brownouts(&c.Lifecycle.Brownouts),
			help: "When deprecated operations and fields answer as if they were gone, as in 2027-06-07T12:00Z/1h. Those of a version are in ENTWINE_API_LIFECYCLE.",
		},
		{
			name: "ENTWINE_DEPRECATION_HEADER", value: "true|date", initial: "true", set: dated(&c.Lifecycle.Dated),
			help: "What the header Deprecation says: true, or since when, as RFC 9745 has it.",
		},

		{group: "How careful clients must be"},
		{
			name: "ENTWINE_IDEMPOTENCY_KEY_REQUIRED", value: "OPERATION,…", set: words(&c.KeyRequired),
			help: "Operations of the REST document, by operationId, that are refused without an Idempotency-Key, as in createUser.",
		},
		{
			name: "ENTWINE_IDEMPOTENCY_RECORDS", value: "N", initial: "20000", set: number(&c.Keys.Records, 1, 10_000_000),
			help: "How many requests with an Idempotency-Key are kept for one user or API key in 24 hours. More get 429, and have no effect, until the oldest ends.",
		},
		{
			name: "ENTWINE_IDEMPOTENCY_BYTES", value: "SIZE", initial: "8MiB", set: size(&c.Keys.Bytes),
			help: "How much they may take in the database, about 200 bytes each and what cannot be read again of an answer.",
		},
		{
			name: "ENTWINE_IDEMPOTENCY_BODY", value: "SIZE", initial: "256KiB", set: size(&c.Keys.Body),
			help: "How much may be kept of the answer to one: a bulk request beyond it gets 413, and has no effect.",
		},

		{group: payments},
		{
			name: "ENTWINE_SETTLE_TIME", value: "TIME", initial: "15s", set: duration(&c.Settle),
			help: "How long after a payment has begun the gateway is asked what became of it, where its answer was lost.",
		},
		{
			name: "ENTWINE_PAYMENT_GATEWAY", value: "sandbox", set: choice(&c.PaymentGateway, Sandbox),
			follows: func() string { return c.in("", Sandbox) },
			help:    "Who takes the money. The sandbox moves none: orders count as paid. Default sandbox, and none in production, which does not start without.",
		},
		{
			name: "ENTWINE_PAYMENT_WEBHOOK_SECRET", value: "SECRET", secret: true, set: text(&c.PaymentWebhookSecret),
			help: "What the payment gateway signs with what it sends to /payments/webhook below any version of REST, as Stripe does: in production at least 16 bytes. Without it there is nothing at that path.",
		},
		{
			name: "ENTWINE_WEBHOOK_RATE_LIMIT", value: "COUNT/TIME[/ALGORITHM]|off", initial: "1000/1m", set: rate(&c.Limit.WebhookRate),
			help: "How many messages the payment gateway may send to that path from one address in a time, as in ENTWINE_RATE_LIMIT, in which they do not count.",
		},
		{
			name: "ENTWINE_SELLER_NAME", value: "NAME", set: line(&c.Seller.Name, 200),
			help: "The seller's name and address on invoices. An invoice keeps what was set when it was issued.",
		},
		{
			name: "ENTWINE_SELLER_ADDRESS", value: "LINE;LINE;…", set: line(&c.Seller.Address, 500),
			help: "The seller's address, its lines separated by semicolons, as in 1 Analytical Row; London; United Kingdom.",
		},
		{
			name: "ENTWINE_SELLER_TAX_ID", value: "ID", set: line(&c.Seller.TaxID, 100),
			help: "The number that the seller pays taxes under, as in GB123456789.",
		},
		{
			name: "ENTWINE_SELLER_EMAIL", value: "EMAIL", set: line(&c.Seller.Email, 254),
			help: "Where customers can write to about an invoice.",
		},

		{group: "GraphQL"},
		{
			name: "ENTWINE_INTROSPECTION", value: "true|false", set: yesNo(&c.GraphQL.Introspection),
			follows: func() string { return c.in("false", "true") },
			help:    "Whether GraphQL shows its schema, suggests names in errors, and has GraphiQL at /graphiql unless trusted documents alone are run. Default true, and false in production.",
		},
		{
			name: "ENTWINE_GRAPHQL_DOCUMENTS", value: "any|trusted", initial: "any", set: documents(&c.GraphQL.TrustedOnly),
			help: "Which documents are run: any, or only those that $0 documents add has added.",
		},

		{group: "Mail"},
		{
			name: "ENTWINE_SMTP_URL", value: "URL", secret: true, address: true, set: smtpURL(&c.Mail.URL),
			help: "smtp://user:password@host:587 or smtps://…, which sends mail. Without it, mail is kept in the database, where admins read it.",
		},
		{
			name: "ENTWINE_MAIL_FROM", value: "ADDRESS", set: sender(&c.Mail.From),
			follows: func() string { return c.program.Name + " <no-reply@example.com>" },
			help:    "Whom mail is from. Default $0 <no-reply@example.com>.",
		},
		{
			name: "ENTWINE_RESET_URL", value: "URL", set: website(&c.Mail.ResetURL),
			help: "The front end's page that takes ?token=… and asks for a new password. Without it, mail has the token alone.",
		},
		{
			name: "ENTWINE_VERIFY_URL", value: "URL", set: website(&c.Mail.VerifyURL),
			help: "The same for the page that takes ?token=… to /auth/verify-email.",
		},
		{
			name: "ENTWINE_TAKE_BACK_URL", value: "URL", set: website(&c.Mail.TakeBackURL),
			help: "The same for the page that takes ?token=… to /auth/take-back-email, once somebody has pressed a button: programs that look at mail follow links.",
		},

		{group: "How much is too much"},
		{
			name: "ENTWINE_RATE_LIMIT", value: "COUNT/TIME[/ALGORITHM]|off", initial: "100/1m", set: rate(&c.Limit.Rate),
			help: "How many requests a caller may make in a time, by a sliding window unless fixed or bucket is named. A request of GraphQL counts 1 and its cost / 100.",
		},
		{
			name: "ENTWINE_READ_LIMIT", value: "N", initial: "50000", set: number(&c.Database.MostRead, 0, 1_000_000_000),
			help: "How much a list that no index serves may be expected to read: what PostgreSQL's planner says (a page of 8 kB in order is 1), and 1 for 20 rows of SQLite. Such a list counts as one more request for each 1000. More is refused with 400, which says what to sort and narrow it by. 0 is no bound.",
		},
		{
			name: "ENTWINE_BODY_LIMIT", value: "SIZE", initial: "1MiB", set: size(&c.Limit.Body),
			help: "The largest body of a request.",
		},
		{
			name: "ENTWINE_AUTH_BODY_LIMIT", value: "SIZE", initial: "16KiB", set: size(&c.Limit.AuthBody),
			help: "The same under /auth.",
		},
		{
			name: "ENTWINE_BULK_BODY_LIMIT", value: "SIZE", initial: "10MiB", set: size(&c.Limit.BulkBody),
			help: "The same for bulk operations and uploads.",
		},
		{
			name: "ENTWINE_BODY_TIME", value: "TIME", initial: "10s", set: duration(&c.Limit.BodyTime),
			help: "How long a request's body may take to arrive.",
		},
		{
			name: "ENTWINE_REQUEST_TIME", value: "TIME", initial: "10s", set: duration(&c.Limit.RequestTime),
			help: "How long answering a request may take.",
		},
		{
			name: "ENTWINE_CONNECTIONS", value: "N", initial: "20", set: number(&c.Limit.Connections, 1, 1_000_000),
			help: "How many WebSockets and event streams one user, API key or anonymous address may have open.",
		},
		{
			name: "ENTWINE_IN_FLIGHT", value: "N", initial: "1000", set: number(&c.Limit.InFlight, 0, 1_000_000),
			help: "How many requests are answered at a time at most; fewer, but never less than a sixteenth of it, while they slow each other down. Others wait up to 100ms, then get 503. 0 is no cap.",
		},
		{
			name: "ENTWINE_STALL_TIME", value: "TIME", initial: "10s", set: duration(&c.Limit.StallTime),
			help: "How long a client may take nothing of an answer that is written to it. Then its connection is closed.",
		},
		{
			name: "ENTWINE_STALLED_CONNECTIONS", value: "N", initial: "20", set: number(&c.Limit.Stalled, 0, 1_000_000),
			help: "How many connections of one address (of IPv6 a /64 network) may have taken nothing for a second; others are closed. Trusted proxies have no bound. 0 is none for all.",
		},
		{
			name: "ENTWINE_DRAIN_TIME", value: "TIME", set: pause(&c.Limit.Drain),
			follows: func() string { return c.in("5s", "0s") },
			help:    "How long a process still accepts connections after the signal to stop, while /readyz answers 503 and each answer closes its connection: until every load balancer has noticed. Default 5s in production, else 0s.",
		},
		{
			name: "ENTWINE_SHUTDOWN_TIME", value: "TIME", initial: "20s", set: duration(&c.Limit.Shutdown),
			help: "How long running requests may take to end after the signal to stop.",
		},
	}
}
