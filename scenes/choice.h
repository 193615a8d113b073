// scenes/choice.h: an option of a scene and a value for it. By itself, because C++ reads it too.
#ifndef SCENES_CHOICE_H
#define SCENES_CHOICE_H

typedef struct scene_choice {
    const char *name;
    double value;
} scene_choice;

#endif
