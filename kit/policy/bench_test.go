package policy_test

import (
	"testing"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// The read rule of posts is evaluated three times in a request.
func BenchmarkReadable(b *testing.B) {
	posts := policy.Rules{SoftDelete: true, Read: policy.Any(
		policy.All(policy.Is("published", true), policy.Null("archived_at")), policy.Owner("author_id"), policy.Roles("moderator", viewer.Admin),
	)}
	comments := policy.Rules{SoftDelete: true, Read: policy.Related("post_id", "posts", policy.All(policy.Null("deleted_at"), posts.Read))}
	for name, rules := range map[string]policy.Rules{"posts": posts, "comments": comments} {
		for who, v := range map[string]*viewer.Viewer{"anonymous": anonymous, "user": user, "admin": admin} {
			b.Run(name+"/"+who, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if rules.Readable(v, false).Never() {
						b.Fatal("nothing is readable")
					}
				}
			})
			b.Run(name+"/"+who+"/some", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := rules.CheckRead(v); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
