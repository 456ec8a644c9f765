/*
 * A page can be read before its script runs, so on a slow line everything that is seen comes first: style, fonts and pictures. React Router's
 * preloads and its script, which every browser would fetch beside them, wait under another name, and it has no setting for that.
 */

/** The page, whose modules wait until `fetchScripts` names them again. */
export const scriptsAfterPaint = (html: string): string =>
  html
    .replaceAll('<link rel="modulepreload"', '<link rel="x-modulepreload"')
    .replace('<script type="module" async="">', '<script type="x-module" async="">')

/**
 * An inline script behind the waiting one: fetches the modules once the page has been painted, or at once where nobody looks. They run one
 * after the other, so that a tap on a slow phone is heard in between, and last the one that takes over the page.
 */
export function fetchScripts() {
  const begin = async () => {
    const script = document.querySelector<HTMLScriptElement>('script[type=x-module]')
    if (!script) return
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=x-modulepreload]')]
    for (const link of links) {
      link.rel = 'modulepreload'
      await new Promise((nextTask) => setTimeout(nextTask))
    }
    for (const { pathname } of links.map(({ href }) => new URL(href)))
      if (!script.text.includes(`import("${pathname}")`)) await import(pathname).catch(() => {}) // the script says so again, and is heard
    script.type = 'module'
    script.replaceWith(script) // a script that is put into the page runs
  }
  // A task that follows a frame's callbacks comes after its painting.
  if (document.hidden) begin()
  else requestAnimationFrame(() => setTimeout(begin))
}
