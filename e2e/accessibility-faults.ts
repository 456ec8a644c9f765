import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './screens/screen.ts'

/*
 * What would keep somebody out of a screen as it stands, in a line for each fault: WCAG 2.2, levels A and AA, as far as a program can tell.
 */

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds. Targets under 24 px (2.5.8) count also where axe leaves the judgement to people; its exceptions are the criterion's. */
export async function findAxeFaults(page: Page): Promise<string[]> {
  await layOutAll(page)
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations', 'incomplete'] }).withTags(wcagTags)
  // The card provider's frame needs a way of asking that costs several times as much.
  const provider = page.frames().some((frame) => /^http/.test(frame.url()) && new URL(frame.url()).origin !== new URL(page.url()).origin)
  const { violations, incomplete } = await axe.setLegacyMode(!provider).analyze()
  const found = [...violations, ...incomplete.filter(({ id }) => id === 'target-size')]
  // The provider's frame is transparent, and axe takes what it cannot see there for white: what stands on dark ground would seem pale.
  const unseenGround = (id: string, target: unknown[]) => id === 'color-contrast' && target.length > 1
  return found.flatMap(({ id, nodes }) =>
    nodes.flatMap(({ html, target }) => (unseenGround(id, target) ? [] : [`${id}: ${html.slice(0, 160)}`])),
  )
}

/** What is laid out only once it comes into view has the size until then that it had at another width, and seems to lie below what follows. */
const layOutAll = (page: Page) =>
  page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('body *'))
      if (getComputedStyle(element).contentVisibility === 'auto') element.style.contentVisibility = 'visible'
  })

/** One h1 and a title, and nothing that makes the page scroll sideways at the width that it has. */
export async function findHeadingAndTitleFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = []
    const titles = [...document.querySelectorAll('h1')].filter((title) => title.checkVisibility())
    if (titles.length !== 1) faults.push(`${titles.length} h1: ${titles.map(({ textContent }) => textContent).join(', ')}`)
    if (!document.title.trim()) faults.push('no title')
    return faults
  })
}

/** Reflow (1.4.10): nothing makes the page scroll sideways on a window so wide. */
export async function findHorizontalOverflow(page: Page, width: number, height: number): Promise<string[]> {
  await page.setViewportSize({ width, height })
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const outside = [...document.body.querySelectorAll('*')].find((element) => element.getBoundingClientRect().right > clientWidth + 1)
    return [`${scrollWidth} px of page on ${clientWidth} px of window: ${outside?.outerHTML.slice(0, 160)}`]
  })
}

/**
 * Goes to every stop of the tab key: the focus is seen there (2.4.7), by an outline or another change, and what sticks to the window does
 * not cover it (2.4.11, which leaves out what somebody has opened and can close with Esc). Passing news is closed first. The provider's card
 * fields look after themselves.
 */
export async function findFocusFaults(page: Page): Promise<{ stops: number; faults: string[] }> {
  const news = page.getByLabel('Notifications').getByRole('button', { name: 'Close', includeHidden: true })
  await news.evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click() // all at once: news goes by itself, too
  })
  await expect(news).toHaveCount(0)
  // A key pressed within a frame, such as the card's, says nothing to the page around it.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.keyboard.press('Tab') // from here on the browser shows the focus as to somebody with a keyboard
  return page.evaluate(() => {
    const inOrder = 'a[href], button, input, select, textarea, summary, [tabindex]'
    const question = [...document.querySelectorAll('[role=alertdialog]')].find((dialog) => dialog.checkVisibility())
    const stops = [...(question ?? document).querySelectorAll<HTMLElement>(inOrder)].filter(
      (element) =>
        element.tabIndex >= 0 &&
        !element.matches(':disabled, [aria-hidden=true]') &&
        !element.closest('[inert]') &&
        element.checkVisibility({ visibilityProperty: true }),
    )
    const looked = [
      'outlineStyle',
      'outlineWidth',
      'outlineColor',
      'boxShadow',
      'backgroundColor',
      'borderTopColor',
      'borderTopWidth',
    ] as const
    const around = (stop: Element): Element[] => {
      const label = stop instanceof HTMLInputElement ? [...(stop.labels ?? [])] : []
      return [stop, stop.parentElement, stop.parentElement?.parentElement, ...label].filter((element) => element instanceof Element)
    }
    const large = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return width >= 8 && height >= 8
    }
    const lookOf = (element: Element) => {
      const style = getComputedStyle(element)
      const { outlineStyle, outlineWidth } = style
      // An outline that is none has a colour all the same, which follows the text's.
      const outline = outlineStyle === 'none' || outlineWidth === '0px' ? 'none' : 'seen'
      return looked.map((name) => (name.startsWith('outline') && outline === 'none' ? 'none' : style[name])).join(' ')
    }
    const at = (element: Element) => element.outerHTML.slice(0, 160)

    const faults: string[] = []
    let reached = 0
    for (const stop of stops) {
      const places = around(stop)
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      const before = places.map(lookOf)
      stop.focus()
      if (document.activeElement !== stop) continue // a guard, which hands the focus on
      reached++
      if (!places.some((place, nth) => large(place) && lookOf(place) !== before[nth])) faults.push(`focus is not seen: ${at(stop)}`)

      const seenPlace = places.find(large) ?? stop
      const { left, right, top, bottom } = seenPlace.getBoundingClientRect()
      const corners = [0.1, 0.5, 0.9].flatMap((across) =>
        [0.1, 0.5, 0.9].map((down) => [left + (right - left) * across, top + (bottom - top) * down] as const),
      )
      const onTop = corners.map(([x, y]) => document.elementFromPoint(x, y))
      if (onTop.every((element) => element === null)) faults.push(`focus is outside of the window: ${at(stop)}`)
      else if (!onTop.some((element) => element && places.some((place) => place.contains(element)))) {
        const sticks = onTop.find((element) => {
          for (let above = element; above; above = above.parentElement)
            if (/fixed|sticky/.test(getComputedStyle(above).position)) return true
          return false
        })
        if (sticks && !sticks.closest('[popover], [role=listbox]'))
          faults.push(`focus is covered by ${sticks.outerHTML.slice(0, 80)}: ${at(stop)}`)
      }
    }
    return { stops: reached, faults }
  })
}
