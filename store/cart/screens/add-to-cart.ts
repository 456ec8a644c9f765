import { formatNumber } from '#shared/format-number.ts'
import { addCartLine } from '#store/cart/contract.ts'
import { applyVisitorToNavigation } from '#web/account.ts'
import type { AddToCart } from '#web/add-to-cart.ts'
import { ApiError } from '#web/api-error.ts'
import { callCart } from './call-cart.ts'

/** Puts pieces into the basket, and says how many are in it then. Loaded on the first press. */
export const addToCart: AddToCart = async ({ productId, quantity, name }) => {
  try {
    const cart = await callCart(addCartLine, { body: { productId, quantity } })
    applyVisitorToNavigation()
    const inCart = cart.lines.find((line) => line.productId === productId)?.quantity ?? quantity
    return { message: `${formatNumber(inCart)} x ${name} in your basket`, isRefused: false }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { message: error.message, isRefused: true }
  }
}
