package expose_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/expose"
)

func TestCheckPassword(t *testing.T) {
	for password, want := range map[string]int{
		"12345678": 0, "sevench1": 0, "short1": 1, "no digit here": 1, "none": 2,
		"ääääääää1": 0, strings.Repeat("ä", 127) + "1": 0, strings.Repeat("ä", 128) + "1": 1,
	} {
		details := expose.CheckPassword("password", password)
		if len(details) != want {
			t.Errorf("CheckPassword(%q) = %v, want %d details", password, details, want)
		}
		for _, d := range details {
			if d.Echo || d.Field != "password" || !d.Unprocessable {
				t.Errorf("detail %+v", d)
			}
		}
	}
}

// Under any load one processor is left to other work, the queue holds its limit,
// and each further caller is refused with the time after which to try again.
