import type { Page, Request } from '@playwright/test'

/**
 * The page's script has taken over all of the page: before, a choice is sent with the form's button. React keeps at its root whether it has,
 * and takes over what stands in a boundary (between two comments) after that: then its elements carry a fiber.
 */
export const waitForHydration = (page: Page) =>
  page.waitForFunction(() => {
    const [, root] = Object.entries(document).find(([key]) => key.startsWith('__reactContainer')) ?? []
    if (root?.stateNode.current.memoizedState?.isDehydrated !== false) return false
    const comments = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_COMMENT)
    while (comments.nextNode()) {
      const { textContent, nextSibling } = comments.currentNode
      const taken = nextSibling && Object.keys(nextSibling).some((key) => key.startsWith('__reactFiber'))
      if (textContent === '$' && nextSibling instanceof Element && !taken) return false
    }
    return true
  })

const quietMs = 500

/**
 * Opens a page and waits until it is hydrated and nothing has been fetched for half a second. Playwright's `networkidle` alone may come before
 * that: a page asks for its script only once it is painted, which a busy machine does late.
 */
export async function openUntilQuiet(page: Page, path: string) {
  const pending = new Set<Request>()
  let changedMs = Date.now()
  const began = (request: Request) => {
    pending.add(request)
    changedMs = Date.now()
  }
  const ended = (request: Request) => {
    pending.delete(request)
    changedMs = Date.now()
  }
  page.on('request', began).on('requestfinished', ended).on('requestfailed', ended)
  await page.goto(path)
  await waitForHydration(page)
  while (pending.size > 0 || Date.now() - changedMs < quietMs) await page.waitForTimeout(quietMs / 10)
  page.off('request', began).off('requestfinished', ended).off('requestfailed', ended)
}
