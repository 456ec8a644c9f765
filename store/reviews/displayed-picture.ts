/**
 * The picture that others see beside a review: a drawing of the store. The author may give any address; a page that loaded it would tell
 * the stranger at that address of every visitor, and could make every visitor's browser call a route of the store.
 */
export const displayedPicture = (img: string): string => (/^\/drawings\/[\w-]{1,60}\.svg$/.test(img) ? img : '/drawings/avatar.svg')
