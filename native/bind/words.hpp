// Words in place of numbers: Python passes the word of a value, and reads the lists of words that there are.
#pragma once

#include <nanobind/stl/string.h>

#include <string>

#include "arrays.hpp"
#include "classica/words.hpp"

namespace classica::bind {

template <class Words>
nb::tuple tuple_of(const Words& words) {
  nb::list listed;
  for (const std::string_view word : words) listed.append(nb::str(word.data(), word.size()));
  return nb::tuple(listed);
}

template <class Enum>
void export_words(nb::module_& module, const char* name) {
  module.attr(name) = tuple_of(words_of<Enum>());
}

template <class Enum>
Enum from_word(const std::string& word) {
  const auto words = words_of<Enum>();
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) return static_cast<Enum>(i);
  throw std::invalid_argument("'" + word + "' must be one of: " + std::string(WordList<Enum>::text) + ".");
}

template <class Enum>
std::string to_word(Enum value) {
  return std::string(words_of<Enum>()[static_cast<std::size_t>(value)]);
}

}  // namespace classica::bind
