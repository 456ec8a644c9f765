import { createContext, useContext } from 'react'

export type AddToCart = (line: { productId: string; quantity: number; name: string }) => Promise<{ message: string; isRefused: boolean }>

/** Set by the root, so that the screens of products can put them into the basket, of which they know nothing. */
export const AddToCartContext = createContext<AddToCart>(() => Promise.reject(new Error('There is no basket')))
export const useAddToCart = () => useContext(AddToCartContext)

/** The form in the root to which the buttons of lists belong: without a script it puts the smallest order of a product into the basket. */
export const addToCartFormId = 'add-to-cart'
export const addToCartUrl = '/cart/add'
