// A program of a user of the API in Go: its operations are typed by genqlient.
//
//	go run . URL TOKEN
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/Khan/genqlient/graphql"
)

type caller struct{ token string }

func (c caller) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+c.token)
	return http.DefaultTransport.RoundTrip(r)
}

func main() {
	log.SetFlags(0)
	ctx := context.Background()
	client := graphql.NewClient(os.Args[1]+"/graphql", &http.Client{Transport: caller{os.Args[2]}})
	const title = "Typed"
	made, err := Write(ctx, client, title)
	if err != nil {
		log.Fatal("write: ", err)
	}
	latest, err := Latest(ctx, client, 5, title)
	if err != nil {
		log.Fatal("latest: ", err)
	}
	page := latest.PostsConnection
	post := page.Nodes[0]
	if page.TotalCount != 1 || made.CreatePost.Version != 1 || post.CreatedAt.IsZero() || *post.Author.Role != UserRoleUser {
		log.Fatalf("the latest are %+v", page)
	}
	node, err := Node(ctx, client, made.CreatePost.Id)
	if err != nil {
		log.Fatal("node: ", err)
	}
	found, ok := (*node.Node).(*NodeNodePost)
	if !ok || found.Title != title {
		log.Fatalf("the node is %+v", node.Node)
	}
	_, err = Node(ctx, client, "nothing")
	fmt.Println(err)
}
