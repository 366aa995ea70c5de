// Command floor is the server that one would write by hand for the cases
// of package bench, to measure entwine against: net/http, one prepared
// statement for each case, JSON appended to bytes, and no authentication,
// validation or policies. PostgreSQL is asked through pgx, SQLite through
// modernc.org/sqlite. It is a module of its own, so that the service does not
// depend on pgx.
//
// It serves the database that its argument names, and prints its address.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
)

// server answers the requests.
type server struct {
	db database
	// orders has the transactions of orders, which are several statements.
	orders *sql.DB
}

// database asks prepared statements.
type database interface {
	// query returns the rows of a statement that reads.
	query(ctx context.Context, s *statement, args ...any) (rows, error)
	// comment adds a comment, with its event or without, and returns its id.
	comment(ctx context.Context, c *comment, event bool) (int64, error)
}

// rows has the rows of a statement.
type rows interface {
	Next() bool
	Scan(into ...any) error
	Err() error
	done()
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: floor postgres://…|sqlite:///…")
	}
	if err := serve(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func serve(ctx context.Context, url string) error {
	open := openSQLite
	if strings.HasPrefix(url, "postgres") {
		open = openPostgres
	}
	db, orders, err := open(ctx, url)
	if err != nil {
		return err
	}
	s := &server{db: db, orders: orders}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /users/{id}", s.getUser)
	mux.HandleFunc("GET /users", s.listUsers)
	mux.HandleFunc("GET /posts", s.pagePosts)
	mux.HandleFunc("GET /feed", s.getFeed)
	mux.HandleFunc("GET /products", s.searchProducts)
	mux.HandleFunc("POST /posts/{id}/comments", s.postComment)
	mux.HandleFunc("POST /orders", s.postOrder)
	mux.HandleFunc("POST /orders/{id}/pay", s.postPay)
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("listening on http://" + l.Addr().String())
	return http.Serve(l, mux)
}
