import { passesLuhn } from './cards.ts'
import { frameProgram } from './frame-program.ts'
import { UNREACHABLE } from './messages.ts'
import { selfContainedPage } from './self-contained-page.ts'

/** The page is transparent around the fields: the frame is embedded in the card area of the store. */
const STYLE = `
* { box-sizing: border-box; }
html, body { margin: 0; background: transparent; overflow: hidden; }
form {
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 12px;
  padding: 4px;
  color: var(--ink);
  font: 14px/20px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
.field { min-width: 0; }
.number, .error { grid-column: 1 / -1; }
.number { order: 1; } #number-error { order: 2; }
.expiry, .code { order: 3; } #expiry-error, #code-error { order: 4; }
label { display: flex; gap: 8px; margin-bottom: 4px; color: var(--label); font-weight: 500; white-space: nowrap; }
#brand { color: var(--ink); font-weight: 600; }
input {
  display: block;
  width: 100%;
  height: 44px;
  padding: 0 10px;
  border: 1px solid var(--border);
  border-radius: 6px;
  background: var(--field);
  color: var(--ink);
  font: 16px/24px var(--figures);
  font-variant-numeric: tabular-nums;
  appearance: none;
}
input::placeholder { color: var(--hint); opacity: 1; }
input:focus { outline: 2px solid var(--ring); outline-offset: 1px; }
input[aria-invalid] { border-color: var(--wrong); box-shadow: inset 0 0 0 1px var(--wrong); }
input:disabled { opacity: 0.6; }
input:autofill { -webkit-text-fill-color: var(--ink); box-shadow: inset 0 0 0 44px var(--field); }
.error { display: flex; gap: 6px; align-items: center; margin: -8px 0 0; color: var(--wrong); font-weight: 500; }
.error:empty { display: none; }
.error::before {
  content: '!';
  flex: none;
  width: 16px;
  height: 16px;
  border: 1.5px solid;
  border-radius: 50%;
  font: 700 11px/13px system-ui, sans-serif;
  text-align: center;
}
/* 420 px and the room for the ring: here the longest number still fits its field. */
@media (min-width: 428px) {
  form { grid-template-columns: minmax(0, 1fr) 94px 98px; column-gap: 10px; }
  .number { grid-column: auto; }
  .field { order: 1; }
  .error { order: 2 !important; }
}
@media (max-width: 220px) {
  .expiry, .code { grid-column: 1 / -1; }
}
@media (forced-colors: active) {
  input:focus { outline-color: Highlight; }
}
`

const BODY = `<form id="card" novalidate aria-label="Card details">
<div class="field number">
<label for="number">Card number <span id="brand" aria-hidden="true"></span></label>
<input id="number" name="cardnumber" inputmode="numeric" autocomplete="cc-number" autocorrect="off" spellcheck="false"
  placeholder="1234 1234 1234 1234" aria-required="true" aria-describedby="number-error">
</div>
<p class="error" id="number-error" aria-live="polite"></p>
<div class="field expiry">
<label for="expiry">Expiration</label>
<input id="expiry" name="exp-date" inputmode="numeric" autocomplete="cc-exp" autocorrect="off" spellcheck="false"
  placeholder="MM / YY" aria-required="true" aria-describedby="expiry-error">
</div>
<p class="error" id="expiry-error" aria-live="polite"></p>
<div class="field code">
<label for="code">Security code</label>
<input id="code" name="cvc" inputmode="numeric" autocomplete="cc-csc" autocorrect="off" spellcheck="false"
  placeholder="123" aria-required="true" aria-describedby="code-error">
</div>
<p class="error" id="code-error" aria-live="polite"></p>
<button type="submit" hidden tabindex="-1">Pay</button>
</form>`

/** The page with the three card fields. */
export const cardFramePage = selfContainedPage({
  title: 'Card details',
  style: STYLE,
  body: BODY,
  script: `(${frameProgram.toString()})(${passesLuhn.toString()}, ${JSON.stringify(UNREACHABLE)})`,
})
