/* SPDX-License-Identifier: MIT */
/* Empty: cffi knows bool and size_t. */
