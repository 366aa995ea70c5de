package trial

import (
	"io"

	"github.com/entwine-go/entwine/kit/internal/recording"
)

// Requests are those of a recording, in their order.
type Requests = []recording.Request

// Read reads a recording. Requests of API keys, whose secrets it does not have, are left
// out and counted.
func Read(r io.Reader) (all Requests, left int, err error) {
	_, found, err := recording.Read(r)
	for _, one := range found {
		if one.Key != 0 {
			left++
			continue
		}
		all = append(all, one)
	}
	return all, left, err
}
