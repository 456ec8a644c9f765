import type { Page } from '@playwright/test'

/** The page's script has taken over all of the page: before, a choice is sent with the form's button. React keeps whether it has at its root. */
export const awake = (page: Page) =>
  page.waitForFunction(() => {
    const [, root] = Object.entries(document).find(([key]) => key.startsWith('__reactContainer')) ?? []
    return root?.stateNode.current.memoizedState?.isDehydrated === false
  })
