/** Said where a page can do nothing without its script. */
export function NeedsScript() {
  return (
    <noscript>
      <p className="font-medium">This page needs JavaScript: switch it on in your browser, then load the page again.</p>
    </noscript>
  )
}
