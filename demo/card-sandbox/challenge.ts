import { challengeProgram } from './challenge-program.ts'
import { selfContainedPage } from './self-contained-page.ts'

const STYLE = `
* { box-sizing: border-box; }
html, body { margin: 0; background: Canvas; }
main {
  display: grid;
  gap: 16px;
  max-width: 456px;
  margin: 0 auto;
  padding: 20px;
  color: var(--ink);
  font: 16px/24px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
h1 { margin: 0; font-size: 20px; line-height: 28px; }
h1:focus { outline: none; }
p { margin: 0; }
#question { font-weight: 500; }
#trouble:empty { display: none; }
.soft { color: var(--label); font-size: 14px; line-height: 20px; }
#trouble { color: var(--wrong); font-weight: 500; }
.choices:not([hidden]) { display: grid; gap: 12px; }
button {
  min-height: 44px;
  padding: 8px 16px;
  border: 1px solid var(--border);
  border-radius: 6px;
  background: transparent;
  color: var(--ink);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
#complete { border-color: transparent; background: var(--ring); color: var(--field); }
button:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
button:disabled { opacity: 0.6; cursor: default; }
@media (forced-colors: active) {
  button:focus-visible { outline-color: Highlight; }
}
`

const BODY = `<main aria-labelledby="title">
<h1 id="title" tabindex="-1">3-D Secure: confirm your payment</h1>
<p id="question"></p>
<p class="soft">Test mode: with real cards the bank that issued the card asks its customer here, by a code or in its app.</p>
<p id="trouble" role="alert"></p>
<div class="choices" id="choices" hidden>
<button type="button" id="complete">Complete authentication</button>
<button type="button" id="fail">Fail authentication</button>
</div>
</main>`

/** The simulated bank's 3-D Secure page, shown in the dialog of the browser library or on its own. */
export const challengeDocument = selfContainedPage({
  title: '3-D Secure test page',
  style: STYLE,
  body: BODY,
  script: `(${challengeProgram.toString()})()`,
})
