import { escapeHtml } from '#platform/escape-html.ts'
import { type TestPerson, testPeople } from './test-people.ts'

/** The page for picking a test person, without script. @param uid id of the sign-in interaction */
export function accountPickerPage(uid: string): string {
  const row = ({ name, email, verified }: TestPerson, nth: number) =>
    `<li><button name="person" value="${nth}"><strong>${escapeHtml(name)}</strong><span>${escapeHtml(email)}${verified ? '' : ' (not verified at Google)'}</span></button></li>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pick a test person</title><style>
:root{color-scheme:light dark;--ink:light-dark(#101814,#e8f0ec);--soft:light-dark(#4a5a53,#a5b7ae);--ground:light-dark(#f6f9f7,#0d1411);--panel:light-dark(#fff,#131c18);--edge:light-dark(#76877f,#67796f);--act:light-dark(#0f5d46,#7cc9ab)}
*{box-sizing:border-box}body{margin:0 auto;max-width:30rem;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
h1{margin:0;font-size:1.5rem}p{margin:.5rem 0 1.25rem;color:var(--soft)}ul{margin:0;padding:0;list-style:none;display:grid;gap:.5rem}
button,input[type=text],input[type=email]{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--edge);border-radius:6px;font:inherit;color:inherit;background:var(--panel);text-align:left}
button{cursor:pointer}button:hover,button:focus-visible{border-color:var(--act)}:focus-visible{outline:3px solid var(--act);outline-offset:2px}button span{display:block;font-size:.875rem;color:var(--soft)}
fieldset{margin:1.5rem 0 0;padding:1rem;border:1px solid var(--edge);border-radius:6px;display:grid;gap:.75rem}legend{padding:0 .25rem;font-weight:600}
label{display:grid;gap:.25rem}label.row{display:flex;gap:.5rem;align-items:center;min-height:1.75rem}form.cancel{margin-top:1.5rem}
</style></head><body><main>
<h1>Pick a test person</h1><p>This page stands in for Google while the store runs as a demo. Nobody here is real, and nothing leaves this machine.</p>
<form method="post" action="/interaction/${escapeHtml(uid)}"><ul>${testPeople.map(row).join('')}</ul></form>
<form method="post" action="/interaction/${escapeHtml(uid)}"><fieldset><legend>Somebody else</legend>
<label>Name<input type="text" name="name" maxlength="200" autocomplete="off"></label>
<label>E-mail<input type="email" name="email" required maxlength="254" autocomplete="off"></label>
<label class="row"><input type="checkbox" name="verified" value="yes" checked> The address is verified at Google</label>
<button>Go on as this person</button></fieldset></form>
<form class="cancel" method="post" action="/interaction/${escapeHtml(uid)}"><button name="cancel" value="yes">Cancel and go back to the store</button></form>
</main></body></html>`
}
