/*
 * A page can be read before its scripts run, so on a slow connection styles, fonts and images should load first. Browsers would load
 * React Router's module preloads and its entry script in parallel with them, and React Router has no option to defer these.
 * So `finishHtml` renames both in the HTML until `loadScriptsAfterPaint` restores them.
 */

/**
 * Inline script after the deferred entry script. Loads the modules once the first paint is on the screen, or at once in a hidden tab. The modules
 * run one after the other, so that a slow phone can handle input in between. The entry script, which hydrates the page, runs last.
 */
export function loadScriptsAfterPaint() {
  let begun = false
  const begin = async () => {
    const script = document.querySelector<HTMLScriptElement>('script[type=x-module]')
    if (!script || begun) return
    begun = true
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=x-modulepreload]')]
    for (const link of links) {
      link.rel = 'modulepreload'
      await new Promise((nextTask) => setTimeout(nextTask))
    }
    // A failed import is ignored here: the entry script imports the module again and reports the error.
    for (const { pathname } of links.map(({ href }) => new URL(href)))
      if (!script.text.includes(`import("${pathname}")`)) await import(pathname).catch(() => {})
    script.type = 'module'
    script.replaceWith(script) // inserting a script element runs it
  }
  if (document.hidden) return void begin()
  // From the frame to its pixels a slow device needs long: scripts that are asked for in between would take line and processor away from them.
  const isToldOfPaint = PerformanceObserver.supportedEntryTypes.includes('paint')
  if (isToldOfPaint) new PerformanceObserver(begin).observe({ type: 'paint', buffered: true })
  // A task queued in an animation frame callback runs after that frame is painted.
  requestAnimationFrame(() => setTimeout(begin, isToldOfPaint ? 1000 : 0))
}
