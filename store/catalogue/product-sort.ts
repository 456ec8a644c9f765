/** Sort order; a leading "-" reverses it. Without it, the best match comes first; without search text, of a category what is in stock, of it what was released last, and of that what has the most buyers, and of everything the oldest product. */
export const productSortPattern = /^(newest|bestselling|-?(price|name|minimum|available|spec\.[a-zA-Z0-9_]{1,60}))$/
