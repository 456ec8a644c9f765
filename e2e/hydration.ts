import type { Page } from '@playwright/test'

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
