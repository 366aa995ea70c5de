package main_test

import (
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	_ "github.com/lib/pq"
	_ "modernc.org/sqlite"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// A database of another project is adopted as doc/guides/adopt.md says, and both APIs serve
// its rows. The tables stay unchanged to the last byte.
func TestChinookIsAdopted(t *testing.T) {
	t.Parallel()
	a := adopting(t, "chinook", "sqlite", "file:"+filepath.Join(t.TempDir(), "chinook.db"))
	a.url = strings.Replace(a.address, "file:", "sqlite://", 1)
	a.more = ` ADD="--read-only Genre"`
	a.exec(`CREATE TABLE Listening (CustomerId INTEGER REFERENCES Customer, TrackId INTEGER REFERENCES Track, Place TEXT, Times INTEGER NOT NULL, PRIMARY KEY (CustomerId, TrackId, Place));
		INSERT INTO Listening VALUES (1, 1, 'train', 3), (1, 6, 'at home/abroad', 5), (2, 1, 'train', 1)`)
	said := a.adopts("Album", "Artist", "Customer", "Employee", "Genre", "Invoice", "InvoiceLine", "Listening", "MediaType", "Playlist", "PlaylistTrack", "Track")
	for _, want := range []string{
		"PlaylistTrack: an edge of Playlist to Track", "unit_price (Float): a float is exact to 15 digits", "Invoice: table Invoice, /invoices, list, read",
		"Genre: table Genre, /genres, list, read", "Album.version, Artist.version", "wrote 12 files of schema/",
		"Listening: table Listening, /listenings, list, create, read, replace, patch, delete", "its key is CustomerId and TrackId and Place together",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("weave adopt does not say %q:\n%s", want, said)
		}
	}
	s := a.serves()
	s.answers("/api/v1/albums?limit=1", 200, `"data":[{"id":1,"title":"For Those About To Rock We Salute You","artist_id":1}]`)
	s.answers("/api/v1/tracks/1?expand=album,genre,playlists", 200, `"playlists":[{"id":1,"name":"Music"}`)
	s.answers("/api/v1/tracks?album_id=1&sort=-album_id&limit=1", 200, `"album_id":1`)
	s.answers("/api/v2/invoices?limit=1", 200, `"invoiceDate":"2021-`)
	s.answers("/api/v1/listenings?customer_id=1&sort=-id&limit=1", 200, `"data":[{"id":"1~6~at home!2abroad","customer_id":1,"track_id":6,"place":"at home/abroad","times":5`)
	s.answers("/api/v1/listenings/1~6~at%20home!2abroad?expand=track,customer", 200, `"track":{"id":6,`)
	s.answers("/api/v2/listenings/"+global("Listening", "1~9~train"), 404, `NOT_FOUND`)
	s.asks([]asked{
		{"/graphql", `{"query":"{ artistsConnection(first: 1) { totalCount nodes { name albums { title tracks { name genre { name } } } } } }"}`,
			`{"artistsConnection":{"totalCount":4,"nodes":[{"name":"AC/DC","albums":[{"title":"For Those About To Rock We Salute You","tracks":[{"name":"For Those About To Rock (We Salute You)","genre":{"name":"Rock"}}`},
		{"/graphql", `{"query":"{ employeesConnection(first: 2) { nodes { lastName birthDate reportsToEmployee { lastName } employees { lastName } } } }"}`,
			`{"lastName":"Edwards","birthDate":"1958-12-08 00:00:00","reportsToEmployee":{"lastName":"Adams"}`},
		{"/graphql", `{"query":"{ listening(id: \"1~1~train\") { id times track { listenings { id customer { lastName } } } } listeningsConnection(first: 1) { totalCount nodes { place } } }"}`,
			`{"id":"` + global("Listening", "1~1~train") + `","times":3,"track":{"listenings":[{"id":"` + global("Listening", "1~1~train") + `"`},
	})
	a.same()
	s.asks([]asked{
		{"/api/v1/albums", `{"title":"New","artist_id":4}`, `"title":"New","artist_id":4`},
		{"/api/v1/albums", `{"title":"New","artist_id":1000}`, `"artist_id"`},
		{"/api/v1/genres", `{"name":"New"}`, `METHOD_NOT_ALLOWED`},
		{"/api/v1/listenings", `{"customer_id":2,"track_id":6,"place":"on/off","times":1}`, `{"id":"2~6~on!2off","customer_id":2,"track_id":6,"place":"on/off","times":1,`},
		{"/api/v1/listenings", `{"customer_id":2,"track_id":6,"place":"on/off","times":2}`, `another listening has this value`},
		{"/api/v1/listenings", `{"customer_id":2,"track_id":99999,"place":"train","times":2}`, `"field":"track_id"`},
		{"/api/v1/listenings", `{"customer_id":2,"track_id":6,"times":2}`, `"field":"place","message":"is required"`},
		{"/graphql", `{"query":"mutation { updateListening(id: \"2~6~on!2off\", input: {times: 9}) { times track { listenings { times } } } }"}`, `{"times":9,"track":{"listenings":[{"times":5},{"times":9}]}}`},
		{"/graphql", `{"query":"mutation { updateListening(id: \"2~6~on!2off\", input: {place: \"train\"}) { times } }"}`, `place`},
		{"/graphql", `{"query":"mutation { deleteListening(id: \"2~6~on!2off\") }"}`, `"deleteListening":true`},
		{"/graphql", `{"query":"mutation { deleteListening(id: \"2~6~on!2off\") }"}`, `NOT_FOUND`},
		{"/api/v1/tracks", `{"name":"New","genre_id":1,"media_type_id":1,"milliseconds":1,"unit_price":0.99}`, `"genre_id":1`},
		{"/graphql", `{"query":"mutation { updateAlbum(id: 6, input: {title: \"Newer\", artistId: 1}) { title artist { name } } }"}`, `{"title":"Newer","artist":{"name":"AC/DC"}}`},
	})
	s.end(syscall.SIGTERM)
	a.differs(`ALTER TABLE Album ADD COLUMN ReleasedIn INTEGER`, `field.Int64("released_in").StorageKey("ReleasedIn").Optional().Nillable()`)
	r := &reader{t: t, program: filepath.Join(a.dir, "bin", "notes"), dir: t.TempDir(), database: "sqlite://" + a.another()}
	r.serve()
	r.follow("adopt")
}

// The same of a database of PostgreSQL, with enums, domains, partitions and views.
func TestPagilaIsAdopted(t *testing.T) {
	t.Parallel()
	storetest.NeedPostgres(t)
	a := adopting(t, "pagila", "postgres", storetest.Schema{}.PostgresURL(t))
	a.url = a.address
	a.exec(`CREATE TABLE region (code varchar(3) PRIMARY KEY, name text NOT NULL);
		CREATE TABLE scanner (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), title text NOT NULL, region_id varchar(3) REFERENCES region);
		CREATE TABLE route (path text PRIMARY KEY);
		INSERT INTO region VALUES ('EUR', 'Europe'), ('x y', 'Elsewhere');
		INSERT INTO scanner VALUES ('0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d', 'At the door', 'EUR');
		INSERT INTO route VALUES ('in/out');
		CREATE TABLE visit (region_code varchar(3) REFERENCES region, scanner_id uuid REFERENCES scanner, nr smallint, note text, PRIMARY KEY (region_code, scanner_id, nr));
		INSERT INTO visit VALUES ('x y', '0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d', 2, 'Late'), ('EUR', '0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d', 1, 'Early')`)
	said := a.adopts("visit", "region", "scanner", "actor", "address", "category", "city", "country", "customer", "film", "film_actor", "film_category", "inventory", "language", "payment", "rental", "staff", "store")
	for _, want := range []string{
		"Film: table film, /films, list, read, patch, delete", "film_actor: an edge of Actor to Film", "rating (String): an enum of GraphQL has no values such as",
		"column film.fulltext: no kind of field holds tsvector", "table payment: it has partitions", "view customer_list: a view has no key", "release_year (Int64): the type is the domain year",
		"password (Text): it is sensitive by its name", "wrote 16 files of schema/",
		"Visit: table visit, /visits, list, create, read, replace, patch, delete",
		"a text is the id: the client that makes a row gives it", `table route: its key path has a value that no address of a row can hold: "in/out"`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("weave adopt does not say %q:\n%s", want, said)
		}
	}
	s := a.serves()
	s.answers("/api/v1/films?limit=1", 200, `"title":"ACADEMY DINOSAUR"`)
	s.answers("/api/v1/films/1?expand=language,categories", 200, `"rental_rate":0.99`)
	s.answers("/api/v2/films?limit=1&title=ACADEMY%20DINOSAUR", 200, `"rating":"PG"`)
	s.answers("/api/v1/staffs/1", 200, `"username":"fay.kub"`)
	s.answers("/api/v1/customers?limit=1&expand=store,address", 200, `"address":{`)
	s.answers("/api/v1/regions/x%20y", 200, `"name":"Elsewhere"`)
	s.answers("/api/v1/scanners?region_id=EUR&expand=region", 200, `"region":{"id":"EUR","name":"Europe"`)
	s.answers("/api/v1/scanners/0191F6AE-7e3c-7b5a-9c1e-2f8d4b6a0c3d", 200, `"title":"At the door"`)
	s.answers("/api/v1/visits/x%20y~0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d~2?expand=region_code_region,scanner", 200, `"region_code_region":{"id":"x y"`)
	s.asks([]asked{
		{"/graphql", `{"query":"{ visitsConnection(first: 1, orderBy: {field: ID, direction: DESC}) { totalCount nodes { id scanner { title visits { note } } } } }"}`, `"totalCount":2,"nodes":[{"id":"` + global("Visit", "x y~0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d~2") + `","scanner":{"title":"At the door","visits":[{"note":"Early"},{"note":"Late"}]}}]`},
		{"/graphql", `{"query":"{ filmsConnection(first: 1) { totalCount nodes { title releaseYear language { name } actors { lastName } inventories { store { id } rentals { customer { lastName } } } } } }"}`, `"title":"ACADEMY DINOSAUR"`},
		{"/graphql", `{"query":"{ actorsConnection(first: 1, orderBy: {field: LAST_NAME, direction: DESC}) { nodes { lastName films { title } } } }"}`, `"films":[{"title":`},
	})
	a.same()
	s.asks([]asked{
		{"/api/v1/regions", `{"id":"MARS","name":"Mars"}`, `"field":"id"`},
		{"/api/v1/scanners", `{"title":"Of a client","region_id":"EUR"}`, `"title":"Of a client"`},
		{"/api/v1/visits", `{"region_code":"EUR","scanner_id":"0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d","nr":2,"note":"Again"}`, `"id":"EUR~0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d~2"`},
		{"/api/v1/visits", `{"region_code":"EUR","scanner_id":"0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d","nr":2}`, `another visit has this value`},
		{"/graphql", `{"query":"mutation { updateVisit(id: \"EUR~0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d~2\", input: {note: \"Once more\"}) { note scanner { title } } }"}`, `{"note":"Once more","scanner":{"title":"At the door"}}`},
		{"/graphql", `{"query":"mutation { deleteVisit(id: \"EUR~0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d~1\") }"}`, `"deleteVisit":true`},
		{"/api/v1/actors", `{"first_name":"ADA","last_name":"LOVELACE"}`, `"last_name":"LOVELACE"`},
		{"/graphql", `{"query":"mutation { updateFilm(id: 1, input: {rating: \"PG-13\", length: 90}) { rating length } }"}`, `{"rating":"PG-13","length":90}`},
		{"/graphql", `{"query":"mutation { updateFilm(id: 1, input: {rating: \"X\"}) { rating } }"}`, `one of G, PG, PG-13, R, NC-17`},
	})
	s.end(syscall.SIGTERM)
	a.differs(`ALTER TABLE film ALTER COLUMN length TYPE text`, `column film.length is of the type text now, and its field is int64`)
}

// adoption is a project that begins from a database, which db reads.
type adoption struct {
	*ownProject
	driver, address, url string
	db                   *sql.DB
	tables               []string
	before               string
	more                 string // of the line that adopts
	also                 string // what exec has run
}

// adopting loads what testdata has of the database into an empty one.
func adopting(t *testing.T, name, driver, address string) *adoption {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles the generator and a service")
	}
	text, err := os.ReadFile(filepath.Join("testdata/adopt", name+".sql"))
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.ExecContext(t.Context(), string(text)); err != nil {
		t.Fatalf("load %s: %v", name, err)
	}
	return &adoption{ownProject: newNotes(t), driver: driver, address: address, db: db}
}

// exec runs statements on the database, as another program would, and on the next one
// that is made like it.
func (a *adoption) exec(statements string) {
	a.Helper()
	a.also += statements + ";"
	if _, err := a.db.ExecContext(a.Context(), statements); err != nil {
		a.Fatal(err)
	}
}

// global is the global id of a row whose id is a text.
func global(typ, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(typ + ":" + id))
}

// another is a file with what testdata has, as no service has seen it.
func (a *adoption) another() (file string) {
	a.Helper()
	file = filepath.Join(a.T.TempDir(), "chinook.db")
	text, err := os.ReadFile("testdata/adopt/chinook.sql")
	if err != nil {
		a.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+file)
	if err == nil {
		_, err = db.ExecContext(a.Context(), string(text)+a.also)
	}
	if err != nil {
		a.Fatal(err)
	}
	if err := db.Close(); err != nil {
		a.Fatal(err)
	}
	return file
}

// adopts begins the project from the database, and builds it. The tables are those
// whose rows have to stay as they are.
func (a *adoption) adopts(tables ...string) (said string) {
	a.Helper()
	a.tables = tables
	a.before = a.sum()
	for _, b := range page(a.T, "adopt") {
		for line := range strings.Lines(b.text) {
			if b.language != "console" || !strings.HasPrefix(line, "make ") {
				continue
			}
			ran := a.run("bash", "-c", strings.Replace(line, "../chinook.db", "'"+a.address+"'"+a.more, 1))
			if strings.HasPrefix(line, "make adopt") {
				said = ran
			}
		}
	}
	a.run("bin/weave", "migrate", "verify")
	return said
}

// differs adopts once more, after a change that another program makes.
func (a *adoption) differs(change, want string) {
	a.Helper()
	if said := a.run("make", "adopt", "DATABASE="+a.address); !strings.Contains(said, "as the database has them") {
		a.Errorf("weave adopt, again, says\n%s", said)
	}
	a.exec(change)
	if said, err := a.try("make", "adopt", "DATABASE="+a.address); err == nil || !strings.Contains(said, want) {
		a.Errorf("weave adopt after %s: %v, %s\nwant %s", change, err, said, want)
	}
}

// serves serves the database, as its admin.
func (a *adoption) serves() *serving {
	a.Helper()
	a.data = a.T.TempDir()
	a.env = append(a.env, "ENTWINE_DATABASE_URL="+a.url, "ENTWINE_DATA_DIR="+a.data, "ENTWINE_BCRYPT_COST=4")
	s := a.serve(filepath.Join(a.dir, "bin", "notes"), "serve")
	s.header = http.Header{}
	s.answers("/api/v1/"+map[string]string{"sqlite": "albums", "postgres": "films"}[a.driver], 401, "AUTH_REQUIRED")
	s.signsUp("Ada Lovelace")
	s.answers("/api/v1/"+map[string]string{"sqlite": "albums", "postgres": "films"}[a.driver], 403, "FORBIDDEN")
	s.entersAsAdmin()
	return s
}

// same reports where a row is another one than before.
func (a *adoption) same() {
	a.Helper()
	if now := a.sum(); now != a.before {
		a.Errorf("the rows of the tables are others: %s, before %s", now, a.before)
	}
}

// sum is the checksum of all rows of the tables.
func (a *adoption) sum() string {
	a.Helper()
	h := sha256.New()
	for _, table := range a.tables {
		rows, err := a.db.QueryContext(a.Context(), fmt.Sprintf("SELECT * FROM %q ORDER BY 1, 2", table))
		if err != nil {
			a.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			a.Fatal(err)
		}
		fmt.Fprintln(h, table, columns)
		values, dest := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			dest[i] = &values[i]
		}
		n := 0
		for ; rows.Next(); n++ {
			if err := rows.Scan(dest...); err != nil {
				a.Fatal(err)
			}
			fmt.Fprintln(h, values...)
		}
		if err := rows.Close(); err != nil || rows.Err() != nil || n == 0 && table != "payment" {
			a.Fatalf("%s: %d rows, %v, %v", table, n, err, rows.Err())
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}
