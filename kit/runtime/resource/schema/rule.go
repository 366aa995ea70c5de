package rest

import (
	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// spans names the members of bodies that are the beginning and the end of a
// time. JSON Schema has no word for a member that comes before another. The
// operations check it themselves; a body that does not get as far as that is
// checked here, so that all that is wrong is told at once.
var spans = map[string]struct{ from, to string }{
	"generateReport": {"from", "to"},
}

// before says whether the body's time ends before it begins.
func before(operation string, instance any) []problem.Detail {
	span, ok := spans[operation]
	members, isObject := instance.(map[string]any)
	if !ok || !isObject {
		return nil
	}
	from, isText := members[span.from].(string)
	to, isTextToo := members[span.to].(string)
	if !isText || !isTextToo {
		return nil
	}
	begin, err := reading.ParseMoment(from)
	if err != nil {
		return nil
	}
	end, err := reading.ParseMoment(to)
	if err != nil || begin.Before(end) {
		return nil
	}
	return []problem.Detail{problem.Rulef(span.from, from, "must be before %s", span.to)}
}

// weakPassword says what is wrong with the password of a new user, whose rules
// are not in the document.
func weakPassword(operation string, instance any) []problem.Detail {
	members, _ := instance.(map[string]any)
	password, isText := members["password"].(string)
	if operation != "createUser" || !isText {
		return nil
	}
	return account.CheckPassword("password", password)
}
