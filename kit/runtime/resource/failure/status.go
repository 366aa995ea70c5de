package failure

import "github.com/entwine-go/entwine/kit/problem"

// answerTo is the answer to a problem: a kind that REST does not have is internal.
func answerTo(p *problem.Error) problem.Answer {
	if a := p.Kind.Answer(); a.REST != "" {
		return a
	}
	return problem.Internal.Answer()
}

// Status is the HTTP status of the problem.
func Status(p *problem.Error) int { return answerTo(p).Status }
