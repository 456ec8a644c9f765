/** For pages that do not work without JavaScript. */
export function JavaScriptRequired() {
  return (
    <noscript>
      <p className="font-medium">This page needs JavaScript: switch it on in your browser, then load the page again.</p>
    </noscript>
  )
}
